import { type NodePool, nodePools } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { appsv1, corev1, findCondition, policyv1 } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, follow, isNodeReady, namespace, nodesOfPool, Product } from './harness.ts';

const before = embeddedReleaseImage('5.0.0');
const after = embeddedReleaseImage('5.0.2');

describe('rollouts', () => {
  let product: Product;
  let hosted: HttpClient;
  beforeAll(async () => {
    product = await Product.start({ flags: { nodePoolReplicas: 0 } });
    hosted = await product.hosted();
    const { replace, ...management } = (await product.pool()).spec.management;
    const rolling = (type: object) => ({ ...management, replace: { ...replace, ...type } });
    const bounds = { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };
    await aPool('surge', 3, rolling(bounds));
    await aPool('patient', 1, rolling({ strategy: 'OnDelete', rollingUpdate: null }));
    await aPool('stays', 2, { ...management, upgradeType: 'InPlace', inPlace: { maxUnavailable: 1 } });
    for (const name of ['surge', 'patient', 'stays']) await settled(name);
  }, 240_000);
  afterAll(async () => {
    await hosted?.close();
    await product?.stop();
  }, 60_000);

  /** Another pool like the one the cluster was made with, at the older release. */
  const aPool = async (name: string, replicas: number, management: object): Promise<void> => {
    const { spec } = await product.pool();
    const changed = { ...spec, replicas, release: { image: before }, management: withoutNulls(management) };
    await product.client.create(nodePools, { metadata: { namespace, name }, spec: changed } as unknown as NodePool);
  };
  const nodes = async (pool: string) =>
    (await hosted.list(corev1.nodes, { labelSelector: nodesOfPool(pool) })).items.filter(isNodeReady);
  const settled = (name: string) =>
    eventually(async () => {
      const { spec, status } = await product.pool(name);
      const conditions = (status?.conditions ?? []) as readonly { readonly type: string; readonly status: string }[];
      const find = (type: string) => conditions.find((one) => one.type === type);
      expect(find('UpdatingVersion')?.status).toBe('False');
      expect(find('UpdatingConfig')?.status).toBe('False');
      expect(find('AllNodesHealthy')).toMatchObject({ status: 'True' });
      expect(status?.version).toBe(spec.release.image.split(':').at(-1));
      expect(await nodes(name)).toHaveLength(spec.replicas ?? 0);
    }, 120_000);
  const upgrade = (name: string) => product.patchPool({ release: { image: after } }, name);

  it('When machines are replaced, no instant should have more than the surge or less than the pool', async () => {
    const old = (await product.machines('surge')).map(({ metadata }) => metadata.name);
    let most = 0;
    let least = Number.POSITIVE_INFINITY;
    const isOfPool = ({ metadata }: capi.Machine) => metadata.annotations?.[poolKey] === `${namespace}/surge`;
    const machinesEnd = follow(product.client, capi.machines, { namespace: product.controlPlane }, (machines) => {
      const present = machines.filter((one) => isOfPool(one) && !one.metadata.deletionTimestamp);
      most = Math.max(most, present.length);
    });
    const others = 3;
    const nodesEnd = follow(hosted, corev1.nodes, {}, (all) => {
      // The first list arrives node by node.
      if (!Number.isFinite(least) && all.length < 3 + others) return;
      least = Math.min(least, all.filter((node) => isNodeReady(node) && !node.spec?.unschedulable).length - others);
    });
    await upgrade('surge');
    await eventually(async () =>
      expect((await product.poolCondition('UpdatingVersion', 'surge'))?.status).toBe('True'),
    );
    await settled('surge');
    await machinesEnd();
    await nodesEnd();
    expect({ most, least }).toEqual({ most: 4, least: 3 });
    const now = (await product.machines('surge')).map(({ metadata }) => metadata.name);
    expect(now.filter((name) => old.includes(name))).toEqual([]);
    expect(new Set((await nodes('surge')).map(({ status }) => status?.nodeInfo?.kubeletVersion))).toEqual(
      new Set(['v1.36.2']),
    );
  }, 180_000);

  it('When a budget holds up a drain, pod and budget should be named on the pool and on the cluster', async () => {
    const [victim] = await nodes('surge');
    const name = victim?.metadata.name ?? '';
    await hosted.create(appsv1.deployments, {
      metadata: { name: 'stubborn', namespace: 'default' },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'stubborn' } },
        template: {
          metadata: { labels: { app: 'stubborn' } },
          spec: {
            nodeSelector: { 'kubernetes.io/hostname': name },
            terminationGracePeriodSeconds: 0,
            containers: [{ name: 'main', image: 'pause' }],
          },
        },
      },
    });
    await hosted.create(policyv1.poddisruptionbudgets, {
      metadata: { name: 'keep', namespace: 'default' },
      spec: { minAvailable: 1, selector: { matchLabels: { app: 'stubborn' } } },
    });
    const pod = await eventually(async () => {
      const { items } = await hosted.list(corev1.pods, { namespace: 'default', labelSelector: 'app=stubborn' });
      expect(items[0]?.status?.phase).toBe('Running');
      const { status } = await hosted.get(policyv1.poddisruptionbudgets, { namespace: 'default', name: 'keep' });
      expect(status?.currentHealthy).toBe(1);
      return items[0]?.metadata.name ?? '';
    });
    const machine = (await product.machines('surge')).find(({ status }) => status?.nodeRef?.name === name);
    const key = { namespace: product.controlPlane, name: machine?.metadata.name ?? '' };
    await product.client.delete(capi.machines, key);
    await eventually(async () => {
      const said = (await product.poolCondition('AllMachinesReady', 'surge'))?.message;
      expect(said).toContain(pod);
      expect(said).toMatch(/budget keep|keep/);
      const blocked = findCondition((await product.cluster()).status?.conditions, 'NodeDrainBlocked');
      expect(blocked).toMatchObject({ status: 'True', reason: 'DrainBlocked' });
      expect(blocked?.message).toContain(`NodePool surge, Machine ${key.name}`);
      expect(blocked?.message).toContain(pod);
      expect(blocked?.message).toContain('keep');
    });
    await hosted.delete(policyv1.poddisruptionbudgets, { namespace: 'default', name: 'keep' });
    await settled('surge');
    await eventually(async () =>
      expect(findCondition((await product.cluster()).status?.conditions, 'NodeDrainBlocked')).toBeUndefined(),
    );
    await hosted.delete(appsv1.deployments, { namespace: 'default', name: 'stubborn' });
  }, 120_000);

  it('When the strategy is OnDelete, machines should wait for their owner', async () => {
    const [old] = await product.machines('patient');
    const name = old?.metadata.name ?? '';
    await upgrade('patient');
    await eventually(async () =>
      expect((await product.poolCondition('UpdatingVersion', 'patient'))?.status).toBe('True'),
    );
    await eventually(async () => {
      const sets = await product.inControlPlane(capi.machinesets);
      expect(sets.filter(({ metadata }) => metadata.name?.startsWith('patient-'))).toHaveLength(2);
    });
    expect((await product.machines('patient')).map(({ metadata }) => metadata.name)).toEqual([name]);
    await product.client.delete(capi.machines, { namespace: product.controlPlane, name });
    await settled('patient');
    expect((await product.machines('patient')).map(({ metadata }) => metadata.name)).not.toContain(name);
  }, 120_000);

  it('When machines are upgraded in place, they should stay and go through their states one at a time', async () => {
    const old = await product.machines('stays');
    const boots = new Map(
      (await nodes('stays')).map(({ metadata, status }) => [metadata.name, status?.nodeInfo?.bootID]),
    );
    const states = new Set<string>();
    let mostAtOnce = 0;
    const end = follow(hosted, corev1.nodes, { labelSelector: nodesOfPool('stays') }, (all) => {
      for (const { metadata } of all) states.add(metadata.annotations?.[stateKey] ?? '');
      mostAtOnce = Math.max(mostAtOnce, all.filter(({ spec }) => spec?.unschedulable).length);
    });
    await upgrade('stays');
    await eventually(async () =>
      expect((await product.poolCondition('UpdatingVersion', 'stays'))?.status).toBe('True'),
    );
    await settled('stays');
    await end();
    const now = await product.machines('stays');
    const uids = (machines: readonly capi.Machine[]) => machines.map(({ metadata }) => metadata.uid);
    expect(new Set(uids(now))).toEqual(new Set(uids(old)));
    expect([...states]).toEqual(expect.arrayContaining(['Working', 'Done']));
    expect(states).not.toContain('Degraded');
    expect(mostAtOnce).toBe(1);
    for (const { metadata, status } of await nodes('stays')) {
      expect(status?.nodeInfo?.kubeletVersion).toBe('v1.36.2');
      expect(status?.nodeInfo?.bootID).not.toBe(boots.get(metadata.name));
    }
  }, 180_000);
});

const poolKey = 'hypershift.openshift.io/nodePool';
const stateKey = 'machineconfiguration.openshift.io/state';

/** A merge patch says null for what should go; an object of its own leaves it out. */
function withoutNulls(value: object): object {
  return JSON.parse(JSON.stringify(value, (_key, inner: unknown) => (inner === null ? undefined : inner))) as object;
}
