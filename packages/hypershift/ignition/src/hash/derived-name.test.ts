import { describe, expect, it } from 'vitest';
import { derivedName, machineTemplateName } from './derived-name.ts';
import { hashSimple } from './hash-simple.ts';

describe('derivedName', () => {
  it.each([
    ['fits', 'infra-cluster', 'workers', 43, 'infra-cluster-workers'],
    [
      'is too long',
      'a-very-long-infra-id-and-cluster-name',
      'workers',
      30,
      `a-very-long-i-${hashSimple('a-very-long-infra-id-and-cluster-name')}-workers`,
    ],
    [
      'has a suffix that leaves no room',
      'abcdef',
      'x'.repeat(20),
      20,
      `abcdef-${hashSimple(`abcdef-${'x'.repeat(20)}`)}`,
    ],
  ])('When the name %s, it should be as upstream makes it', (_, base, suffix, max, expected) => {
    expect(derivedName(base, suffix, max)).toBe(expected);
    expect(expected.length).toBeLessThanOrEqual(max);
  });

  it('When an AWS template is named, it should have the upstream name', () => {
    const spec =
      '{"template":{"metadata":{},"spec":{"instanceMetadataOptions":{"httpEndpoint":"enabled","httpPutResponseHopLimit":2,"httpTokens":"optional","instanceMetadataTags":"disabled"},"ami":{"id":"an-ami"},"instanceType":"","iamInstanceProfile":"infra-id-worker-profile","subnet":{},"rootVolume":{"size":16},"uncompressedUserData":true,"cloudInit":{"insecureSkipSecretsManager":true,"secureSecretsBackend":"secrets-manager"}}}}';
    expect(machineTemplateName('test-nodepool', spec)).toBe('test-nodepool-28d5cf5a');
  });
});
