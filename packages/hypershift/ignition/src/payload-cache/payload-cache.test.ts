import { randomBytes } from 'node:crypto';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { namespace, writeControlPlane } from '../testing/control-plane.ts';
import { aPayloadInputs } from '../testing/payload-inputs.ts';
import { payloadKey } from './payload-key.ts';
import { SharedPayloads } from './shared-payloads.ts';
import { TokenIndex } from './token-index.ts';

const owner = (uid: string) => ({ apiVersion: 'v1', kind: 'Secret', name: `token-${uid}`, uid });

describe('SharedPayloads', () => {
  let cluster: EmbeddedCluster;
  let client: Client;
  beforeAll(async () => {
    cluster = await EmbeddedCluster.start({ controllers: false, nodes: [] });
    client = cluster.client();
    await writeControlPlane(client);
  });
  afterAll(() => cluster?.stop());
  const partsOf = async (key: string) =>
    (await client.list(corev1.secrets, { namespace })).items.filter(({ metadata }) => metadata.name?.includes(key));

  it('When two replicas write at once, both should end with the payload that was first', async () => {
    const payloads = [new SharedPayloads(client, namespace), new SharedPayloads(client, namespace)];
    const stored = await Promise.all(
      payloads.map((one, i) => one.write('race', Buffer.from(`{"replica":${i}}`), owner(`${i}`))),
    );
    expect(stored[0]).toEqual(stored[1]);
    expect(await partsOf('race')).toHaveLength(1);
  });

  it('When the payload does not fit into one Secret, it should be cut and put together again', async () => {
    const payloads = new SharedPayloads(client, namespace);
    const large = Buffer.from(randomBytes(1_200_000).toString('hex'));
    await payloads.write('large', large, owner('a'));
    expect((await partsOf('large')).length).toBeGreaterThan(1);
    expect((await payloads.read('large', owner('b')))?.equals(large)).toBe(true);
    for (const part of await partsOf('large'))
      expect(part.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual(['a', 'b']);
  });

  it('When an owner boots with another payload, the old one should go with its last owner', async () => {
    const payloads = new SharedPayloads(client, namespace);
    await payloads.write('past', Buffer.from('{}'), owner('a'));
    await payloads.read('past', owner('b'));
    await payloads.release('past', owner('a'));
    const [part] = await partsOf('past');
    expect(part?.metadata.ownerReferences?.map(({ uid }) => uid)).toEqual(['b']);
    await payloads.release('past', owner('stranger'));
    await payloads.release('past', owner('b'));
    expect(await partsOf('past')).toEqual([]);
    await payloads.release('past', owner('b'));
  });

  it('When a stored payload is damaged, it should be replaced and never served', async () => {
    const payloads = new SharedPayloads(client, namespace);
    const annotations = { 'hypershift-ts.io/payload-digest': 'x', 'hypershift-ts.io/payload-parts': '1' };
    await client.create(corev1.secrets, {
      metadata: { name: 'ignition-payload-bad', namespace, annotations },
      data: { part: 'AAAA' },
    });
    expect(await payloads.read('bad', owner('a'))).toBeUndefined();
    await payloads.write('bad', Buffer.from('{}'), owner('a'));
    expect((await payloads.read('bad', owner('a')))?.toString()).toBe('{}');
  });

  it('When a payload is larger than allowed, it should say what to do', async () => {
    const payloads = new SharedPayloads(client, namespace);
    await expect(payloads.write('huge', Buffer.alloc(17 * 1024 * 1024), owner('a'))).rejects.toThrow(
      'make the config smaller',
    );
  });
});

describe('payloadKey', () => {
  it('When members change places, it should stay the same; when a value changes, it should not', () => {
    const inputs = aPayloadInputs();
    const reversed = Object.fromEntries(Object.entries(inputs).reverse()) as unknown as typeof inputs;
    expect(payloadKey(reversed)).toBe(payloadKey(inputs));
    expect(payloadKey({ ...inputs, pullSecret: '{}' })).not.toBe(payloadKey(inputs));
  });
});

describe('TokenIndex', () => {
  const rollout = {
    secret: 'token-a',
    namespace,
    uid: '1',
    nodePool: 'clusters/a',
    basis: '',
    payload: Buffer.from('{}'),
    reached: false,
    expiresAt: undefined,
  };

  it('When a Secret gets a new token, it should forget tokens that it no longer stands for', () => {
    const index = new TokenIndex();
    index.put(['t1'], rollout);
    index.put(['t2', 't1'], rollout);
    index.put(['t3', 't2'], rollout);
    expect(['t1', 't2', 't3'].map((token) => index.find(token, 0) !== undefined)).toEqual([false, true, true]);
    expect(index.size).toBe(2);
    index.remove('token-a');
    expect(index.size).toBe(0);
  });

  it('When the Secret has expired, it should not be found even before it is deleted', () => {
    const index = new TokenIndex();
    index.put(['t1'], { ...rollout, expiresAt: 1000 });
    expect([index.find('t1', 999)?.secret, index.find('t1', 1000)]).toEqual(['token-a', undefined]);
  });
});
