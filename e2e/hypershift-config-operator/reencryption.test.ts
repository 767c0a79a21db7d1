import { hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { appsv1, corev1, findCondition } from '@hypershift-ts/kube-apimachinery';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, key, namespace, startTwoClusters, type TwoClusters } from './harness.ts';

let test: TwoClusters;
let stop: () => Promise<void>;
const condition = async () =>
  findCondition((await test.controlPlane()).status?.conditions, 'EtcdDataEncryptionUpToDate');
const base64 = (text: string | Uint8Array) => Buffer.from(text as string).toString('base64');
const keys = { first: Buffer.alloc(32, 1), second: Buffer.alloc(32, 2) };

/** FNV-1 of a key, as configuration names it. */
function nameOf(bytes: Uint8Array): string {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return `key-${hash}`;
}

/** What the control plane operator does: another configuration, and API servers that run with it. */
async function rollOut(...order: readonly Uint8Array[]): Promise<void> {
  const list = order.map((bytes) => ({ name: nameOf(bytes), secret: base64(bytes) }));
  const text = JSON.stringify({
    apiVersion: 'apiserver.config.k8s.io/v1',
    kind: 'EncryptionConfiguration',
    resources: [{ resources: ['secrets'], providers: [{ aescbc: { keys: list } }, { identity: {} }] }],
  });
  const secret = { namespace, name: 'kas-secret-encryption-config' };
  const body = { data: { 'config.yaml': base64(text) } };
  await test.client.patch(corev1.secrets, secret, { type: 'merge', body });
  const hash = `sha256:${createHash('sha256').update(text).digest('hex')}`;
  const annotations = { 'kube-apiserver.hypershift.openshift.io/encryption-config-hash': hash };
  const patched = await test.client.patch(
    appsv1.deployments,
    { namespace, name: 'kube-apiserver' },
    {
      type: 'merge',
      body: { spec: { template: { metadata: { annotations } } } },
    },
  );
  const status = {
    observedGeneration: patched.metadata.generation,
    replicas: 1,
    updatedReplicas: 1,
    readyReplicas: 1,
    availableReplicas: 1,
  };
  await test.client.patch(
    appsv1.deployments,
    { namespace, name: 'kube-apiserver' },
    { type: 'merge', body: { status } },
    {
      subresource: 'status',
    },
  );
}

beforeAll(async () => {
  test = await startTwoClusters({ secretEncryption: { type: 'aescbc', aescbc: { activeKey: { name: 'first' } } } });
  for (const [name, bytes] of Object.entries(keys))
    await test.client.create(corev1.secrets, { metadata: { namespace, name }, data: { key: base64(bytes) } });
  await test.client.create(corev1.secrets, { metadata: { namespace, name: 'kas-secret-encryption-config' } });
  const labels = { app: 'kube-apiserver' };
  await test.client.create(appsv1.deployments, {
    metadata: { namespace, name: 'kube-apiserver' },
    spec: {
      replicas: 1,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'kas', image: 'kas' }] } },
    },
  });
  stop = test.run();
}, 60_000);
afterAll(async () => {
  await stop?.();
  await test?.stop();
});

describe('change of the encryption key', () => {
  it('When the API server encrypts, it should record the key', async () => {
    await rollOut(keys.first);
    await eventually(async () => {
      expect(await condition()).toMatchObject({ status: 'True', reason: 'ReEncryptionCompleted' });
      expect((await test.controlPlane()).status?.secretEncryption?.activeKey?.aescbc?.secret.name).toBe('first');
    });
  });

  it('When another key is asked for, it should go on as far as the API servers are, and rewrite in the end', async () => {
    const body = { spec: { secretEncryption: { aescbc: { activeKey: { name: 'second' } } } } };
    await test.client.patch(hostedControlPlanes, key, { type: 'merge', body });
    await eventually(async () => expect((await condition())?.reason).toBe('ReadOnlyRolloutInProgress'));
    await rollOut(keys.first, keys.second);
    await eventually(async () => expect((await condition())?.reason).toBe('WritePromotionInProgress'));
    test.writes.length = 0;
    await rollOut(keys.second, keys.first);
    await eventually(async () => {
      expect(await condition()).toMatchObject({ status: 'True', reason: 'ReEncryptionCompleted' });
      const { activeKey, targetKey, history } = (await test.controlPlane()).status!.secretEncryption!;
      expect([activeKey?.aescbc?.secret.name, targetKey]).toEqual(['second', undefined]);
      expect(history).toMatchObject([{ state: 'Completed' }]);
    });
    expect(test.writes.filter((write) => write.startsWith('update Secret'))).not.toEqual([]);
  });
});
