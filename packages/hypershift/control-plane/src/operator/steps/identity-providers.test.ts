import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { fixedLookup } from '../../framework/lookup.ts';
import { providerProblems } from './identity-providers.ts';

const secret = (name: string, data: object) =>
  ({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, data }) as KubeObject;
const file = { name: 'staff', type: 'HTPasswd', htpasswd: { fileData: { name: 'users' } } };
const problems = (provider: object, ...objects: KubeObject[]) =>
  providerProblems([provider] as never, fixedLookup(objects));

describe('providerProblems', () => {
  it('When everything it names exists, it should find none', () => {
    expect(problems(file, secret('users', { htpasswd: 'eA==' }))).toEqual([]);
  });

  it.each([
    ['a Secret is missing', file, [], 'Secret users of fileData does not exist'],
    ['a key is missing', file, [secret('users', {})], 'Secret users of fileData lacks the key htpasswd'],
    ['settings are missing', { name: 'staff', type: 'LDAP' }, [], 'type "LDAP" needs its settings beside it'],
    [
      'a bundle is missing',
      { name: 'staff', type: 'GitHub', github: { clientSecret: { name: 's' }, ca: { name: 'bundle' } } },
      [secret('s', { clientSecret: 'eA==' })],
      'ConfigMap bundle of ca does not exist',
    ],
  ])('When %s, it should name it', (_, provider, objects, expected) => {
    expect(problems(provider, ...objects)).toEqual([`failed to apply IDP staff config: ${expected}`]);
  });

  it('When two have one name, it should say so', () => {
    const lookup = fixedLookup([secret('users', { htpasswd: 'eA==' })]);
    expect(providerProblems([file, file] as never, lookup)).toEqual([
      'failed to apply IDP staff config: another provider has the same name',
    ]);
  });
});
