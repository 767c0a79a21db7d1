import { generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { aCluster } from '../testing/clusters.ts';
import { MemoryOidcDocuments, oidcDocumentsOf, oidcFinalizerOf } from './index.ts';

const pem = (): string =>
  generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey.export({ type: 'spki', format: 'pem' }) as string;

describe('OpenID documents', () => {
  it('When a key was rotated, both keys should be listed under the issuer of the cluster', () => {
    const cluster = aCluster({ issuerURL: 'https://bucket.example.com/demo-abcde' });
    const documents = oidcDocumentsOf(cluster, `${pem()}${pem()}`);
    expect(JSON.parse(documents.get('.well-known/openid-configuration') ?? '')).toMatchObject({
      issuer: 'https://bucket.example.com/demo-abcde',
      jwks_uri: 'https://bucket.example.com/demo-abcde/openid/v1/jwks',
      id_token_signing_alg_values_supported: ['ES256'],
    });
    const { keys } = JSON.parse(documents.get('openid/v1/jwks') ?? '') as { keys: { kid: string }[] };
    expect(new Set(keys.map(({ kid }) => kid)).size).toBe(2);
    expect(JSON.stringify(keys)).not.toContain('"d"');
  });
  it('When there is no key, it should say where it was looked for', () => {
    expect(() => oidcDocumentsOf(aCluster(), 'nothing')).toThrow('sa-signing-key');
  });
  it('When documents are published, they should be read by their path until they are removed', async () => {
    const place = new MemoryOidcDocuments();
    await place.publish('demo-abcde', new Map([['openid/v1/jwks', '{}']]));
    expect(place.read('demo-abcde/openid/v1/jwks')).toBe('{}');
    await place.remove('demo-abcde');
    expect(place.read('demo-abcde/openid/v1/jwks')).toBeUndefined();
  });
  it('When clouds differ, so should the finalizers', () => {
    expect(oidcFinalizerOf(aCluster({ platform: { type: 'AWS' } }))).toBe('hypershift.io/aws-oidc-discovery');
  });
});
