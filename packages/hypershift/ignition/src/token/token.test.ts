import { describe, expect, it } from 'vitest';
import { decodeAndDecompress } from '../rollout/raw-config.ts';
import { parseIgnitionText } from '../spec/parse.ts';
import { aTokenSecret, aTokenSecretInputs } from '../testing/control-plane.ts';
import { secretFate } from './janitor.ts';
import { decideToken, expirationPatch, rotationPatch, tokensOf } from './lifecycle.ts';
import { secretText, tokenAnnotation, tokenKey } from './names.ts';
import { configurationHash, desiredTokenSecret, pullSecretHash, trustBundleHash } from './token-secret.ts';
import { desiredUserDataSecret, userData, type UserDataInputs } from './user-data.ts';

const start = Date.UTC(2026, 0, 1);
const hours = (count: number) => count * 60 * 60 * 1000;
const secret = () => aTokenSecret({}, { now: start, token: 'token-1' });
const withAnnotations = (annotations: Record<string, string>) => {
  const one = secret();
  return { ...one, metadata: { ...one.metadata, annotations: { ...one.metadata.annotations, ...annotations } } };
};

describe('desiredTokenSecret', () => {
  it('When the rollout is new, it should carry token, release, config and hashes', () => {
    const made = secret();
    expect(made.metadata).toMatchObject({
      name: 'token-workers-bb196408',
      namespace: 'clusters-example',
      annotations: {
        'hypershift.openshift.io/ignition-config': 'true',
        'hypershift.openshift.io/node-pool-upgrade-type': 'Replace',
        'hypershift.openshift.io/nodePool': 'clusters/workers',
        'hypershift.openshift.io/last-token-generation-time': '2026-01-01T00:00:00.000Z',
      },
    });
    expect(Object.keys(made.data ?? {}).sort()).toEqual([
      'additional-trust-bundle-hash',
      'cloud-config-hash',
      'config',
      'hc-configuration-hash',
      'os-stream',
      'pull-secret-hash',
      'release',
      'release-version',
      'token',
    ]);
    expect(decodeAndDecompress(Buffer.from(made.data?.['config'] ?? '', 'base64')).toString()).toBe(
      aTokenSecretInputs().rawConfig,
    );
    expect(secretText(made, tokenKey.pullSecretHash)).toBe(pullSecretHash(Buffer.from('{"auths":{}}')));
    expect(secretText(made, tokenKey.additionalTrustBundleHash)).toBe('811c9dc5');
  });

  it('When it is built again, it should change nothing but the hashes that follow the cluster', () => {
    const made = secret();
    const again = desiredTokenSecret(aTokenSecretInputs(), made, { now: start + 1, token: 'token-9' });
    expect(again).toEqual(made);
    const pullSecret = Buffer.from('{"auths":{"example.com":{}}}');
    const renewed = { configurationHash: 'x', releaseImage: 'y', pullSecret, additionalTrustBundle: 'PEM' };
    const changed = desiredTokenSecret(aTokenSecretInputs(renewed), made, { now: 0, token: '' });
    expect(secretText(changed, tokenKey.pullSecretHash)).toBe(pullSecretHash(pullSecret));
    expect(secretText(changed, tokenKey.additionalTrustBundleHash)).toBe(trustBundleHash('PEM'));
    expect(secretText(changed, tokenKey.token)).toBe('token-1');
    expect(secretText(changed, tokenKey.configurationHash)).toBe('x');
    expect(secretText(changed, tokenKey.release)).toBe('quay.io/example/release:4.20.1');
  });

  it('When its rollout is wanted again, it should not expire any more', () => {
    const outdated = withAnnotations({ [tokenAnnotation.expiration]: '2026-01-01T02:00:00Z' });
    const again = desiredTokenSecret(aTokenSecretInputs(), outdated, { now: start, token: '' });
    expect(again.metadata.annotations).not.toHaveProperty(tokenAnnotation.expiration);
  });

  it('When the cluster was restored, it should count as reached', () => {
    const restored = aTokenSecret({ restoredFromBackup: true });
    expect(restored.metadata.annotations?.[tokenAnnotation.ignitionReached]).toBe('True');
  });
});

describe('configurationHash', () => {
  it('When keys change places or an empty import mode appears, it should stay the same', () => {
    const hash = configurationHash({ image: { a: 1, b: { c: 2, d: 3 } } });
    expect(configurationHash({ image: { b: { d: 3, c: 2 }, a: 1, imageStreamImportMode: '' } })).toBe(hash);
    expect(configurationHash({ image: { a: 1 } })).not.toBe(hash);
  });
});

describe('userData', () => {
  const inputs: UserDataInputs = {
    namespace: 'clusters-example',
    nodePool: { namespace: 'clusters', name: 'workers' },
    hash: 'bb196408',
    token: 'token-1',
    ignitionEndpoint: 'ignition.example.com:443',
    caCertificate: 'PEM',
    proxy: {},
  };

  it('When there is no proxy, it should be exactly the stub that upstream writes', () => {
    expect(userData(inputs)).toBe(
      '{"ignition":{"config":{"merge":[{"httpHeaders":[{"name":"Authorization","value":"Bearer dG9rZW4tMQ=="},{"name":"NodePool","value":"clusters/workers"},{"name":"TargetConfigVersionHash","value":"bb196408"}],"source":"https://ignition.example.com:443/ignition"}]},"security":{"tls":{"certificateAuthorities":[{"source":"data:text/plain;base64,UEVN"}]}},"version":"3.2.0"}}',
    );
  });

  it('When there is a proxy, machines should use it from the first request', () => {
    const { config } = parseIgnitionText(
      userData({ ...inputs, proxy: { httpsProxy: 'http://p:1', noProxy: '.svc,localhost' } }),
    );
    expect(config.ignition.proxy).toEqual({ httpsProxy: 'http://p:1', noProxy: ['.svc', 'localhost'] });
  });

  it('When the token is rotated, the Secret should keep its name', () => {
    const first = desiredUserDataSecret(inputs, undefined);
    const second = desiredUserDataSecret({ ...inputs, token: 'token-2' }, first);
    expect(second.metadata).toEqual(first.metadata);
    expect(second.data?.['value']).not.toBe(first.data?.['value']);
    expect(secretText(first, 'disableTemplating')).toBe('dHJ1ZQ==');
  });
});

describe('the life of a token', () => {
  it.each([
    ['is young', {}, hours(1), { action: 'keep', lookAgainMs: hours(4.5) }],
    ['has half of its life behind it', {}, hours(5.5), { action: 'rotate' }],
    ['has no readable age', { [tokenAnnotation.generationTime]: 'x' }, hours(1), { action: 'rotate' }],
    [
      'is outdated',
      { [tokenAnnotation.expiration]: '2026-01-01T08:00:00Z' },
      hours(6),
      { action: 'keep', lookAgainMs: hours(2) },
    ],
    ['has expired', { [tokenAnnotation.expiration]: '2026-01-01T02:00:00Z' }, hours(2), { action: 'delete' }],
    ['expires at no time', { [tokenAnnotation.expiration]: 'soon' }, hours(1), { action: 'delete' }],
  ])('When it %s, the decision should be right', (_, annotations, age, decision) => {
    expect(decideToken(withAnnotations(annotations), start + age)).toEqual(decision);
  });

  it('When it is rotated, the token that machines hold should stay good as the old one', () => {
    const before = secret();
    const patch = rotationPatch(before, start + hours(6), 'token-2') as {
      data: Record<string, string>;
      metadata: object;
    };
    const after = { ...before, data: { ...before.data, ...patch.data } };
    expect(tokensOf(after)).toEqual(['token-2', 'token-1']);
    expect(patch.metadata).toHaveProperty('resourceVersion');
  });

  it('When it is outdated, it should get two hours once', () => {
    expect(expirationPatch(secret(), start)).toEqual({
      metadata: { annotations: { [tokenAnnotation.expiration]: '2026-01-01T02:00:00Z' } },
    });
    expect(expirationPatch(withAnnotations({ [tokenAnnotation.expiration]: 'x' }), start)).toBeUndefined();
  });
});

describe('secretFate', () => {
  const facts = {
    poolExists: true,
    clusterGone: false,
    platform: 'AWS',
    expectedNames: ['token-workers-new', 'user-data-workers-new'],
  };
  const named = (name: string, labels?: Record<string, string>) => ({
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, ...(labels ? { labels } : {}) },
  });
  it.each([
    ['token-workers-new', {}, 'keep'],
    ['token-workers-old', {}, 'expire'],
    ['user-data-workers-old', {}, 'delete'],
    ['user-data-workers-old', { keepsUserData: true }, 'keep'],
    ['user-data-workers-old', { platform: 'KubeVirt' }, 'keep'],
    ['token-workers-new', { clusterGone: true }, 'expire'],
    ['user-data-workers-new', { clusterGone: true }, 'delete'],
    ['token-workers-new', { poolExists: false }, 'delete'],
    ['pull-secret', { poolExists: false }, 'keep'],
  ])('When %s is judged with %j, its fate should be %s', (name, change, fate) => {
    expect(secretFate(named(name), { ...facts, ...change })).toBe(fate);
  });

  it('When Karpenter owns the machines, it should keep the Secrets of a pool that is gone', () => {
    const labels = { 'hypershift.openshift.io/managed-by-karpenter': 'true' };
    expect(secretFate(named('token-x', labels), { ...facts, poolExists: false })).toBe('keep');
  });
});
