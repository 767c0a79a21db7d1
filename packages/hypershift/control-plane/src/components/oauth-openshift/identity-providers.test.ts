import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { OpenIdEndpoints } from '../../framework/context.ts';
import { fixedLookup } from '../../framework/lookup.ts';
import { testControlPlane } from '../../testing/context.ts';
import { identityProvidersOf } from './identity-providers.ts';

const object = (kind: string, name: string, data: object) =>
  ({ apiVersion: 'v1', kind, metadata: { name }, data }) as unknown as KubeObject;
const users = object('Secret', 'users', { htpasswd: 'eA==' });
const client = object('Secret', 'client', { clientSecret: 'eA==' });
const bundle = object('ConfigMap', 'bundle', { 'ca.crt': 'PEM' });
const file = { name: 'staff', type: 'HTPasswd', htpasswd: { fileData: { name: 'users' } } };
const issuer = 'https://id.example.com';
const openId = {
  name: 'sso',
  type: 'OpenID',
  openID: { issuer: `${issuer}/`, clientID: 'me', clientSecret: { name: 'client' }, claims: { email: ['email'] } },
};

function converted(
  providers: readonly object[],
  objects: readonly KubeObject[],
  endpoints: Record<string, OpenIdEndpoints | Error> = {},
  annotations = {},
) {
  const hcp = testControlPlane({ spec: { configuration: { oauth: { identityProviders: providers } } }, annotations });
  return identityProvidersOf({ hcp, lookup: fixedLookup(objects), openIdEndpoints: endpoints });
}

describe('identityProvidersOf', () => {
  it('When users are in a file, it should mount it and name it', () => {
    expect(converted([file], [users])).toEqual({
      converted: [
        {
          name: 'staff',
          challenge: true,
          login: true,
          mappingMethod: 'claim',
          provider: {
            apiVersion: 'osin.config.openshift.io/v1',
            kind: 'HTPasswdPasswordIdentityProvider',
            file: '/etc/oauth/idp/idp_secret_0_file-data/htpasswd',
          },
        },
      ],
      volumes: { 'idp-secret-0-file-data': { secret: 'users' } },
      mounts: { 'idp-secret-0-file-data': '/etc/oauth/idp/idp_secret_0_file-data' },
      problems: [],
    });
  });

  it('When one provider is wrong, it should leave the others alone and say what is missing', () => {
    const github = {
      name: 'hub',
      type: 'GitHub',
      github: { clientSecret: { name: 'client' }, ca: { name: 'bundle' } },
    };
    const { converted: good, problems } = converted([github, file], [client, users]);
    expect(good).toHaveLength(1);
    expect(problems).toEqual(['failed to apply IDP hub config: ConfigMap bundle of ca does not exist']);
    expect(converted([github, file], [client, users, bundle]).problems).toEqual([]);
  });

  it.each([
    ['a Secret is missing', [file], [], 'Secret users of fileData does not exist'],
    ['a key is missing', [file], [object('Secret', 'users', {})], 'Secret users of fileData lacks the key htpasswd'],
    [
      'settings are missing',
      [{ name: 'staff', type: 'LDAP' }],
      [],
      'type LDAP was specified, but its configuration is missing',
    ],
    [
      'a type is unknown',
      [{ name: 'staff', type: 'toString' }],
      [],
      "the identity provider type 'toString' is not supported",
    ],
    ['two have one name', [file, file], [users], 'another provider has the same name'],
    [
      'an issuer has not answered',
      [{ ...openId, name: 'staff' }],
      [client],
      `the discovery document of issuer ${issuer} has not been read yet`,
    ],
  ] as const)('When %s, it should name it', (_, providers, objects, expected) => {
    expect(converted(providers, objects).problems).toEqual([`failed to apply IDP staff config: ${expected}`]);
  });

  it('When an issuer has answered, it should use what it published', () => {
    const urls = { authorize: `${issuer}/auth`, token: `${issuer}/token` };
    const [one] = converted([openId], [client], { [issuer]: urls }).converted;
    expect(one).toMatchObject({ challenge: false, provider: { urls, claims: { id: ['sub'], email: ['email'] } } });
  });

  it('When an annotation says where to ask, it should need no answer', () => {
    const override = JSON.stringify({ urls: { authorize: 'https://a', token: 'https://t' }, challenge: true });
    const [one] = converted([openId], [client], {}, { 'idpoverrides.hypershift.openshift.io/sso': override }).converted;
    expect(one).toMatchObject({ challenge: true, provider: { urls: { token: 'https://t' } } });
  });
});
