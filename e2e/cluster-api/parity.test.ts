import { setTimeout as delay } from 'node:timers/promises';
import { corev1, formatTime } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDeployment, createTemplate, isComplete, namespace, startWorld, type World } from './fixture.ts';
import { findRealManager, realClusterApi } from './real-manager.ts';
import { told } from './told.ts';

const program = findRealManager();
const key = { namespace, name: 'pool' };

/** Another process needs more time than our own, and much more on a busy machine. */
async function patiently(read: () => Promise<boolean>, what: string): Promise<void> {
  for (const end = Date.now() + 60_000; Date.now() < end; await delay(200)) if (await read()) return;
  throw new Error(`never happened: ${what}`);
}

/** Ours and upstream's manager, each in a world of its own, are asked for the same and must tell the same. */
describe.skipIf(!program)('Beside the manager of upstream', () => {
  let worlds: readonly [ours: World, theirs: World];
  beforeAll(async () => {
    worlds = await Promise.all([startWorld(), startWorld({ clusterApi: realClusterApi(program ?? '') })]);
  }, 60_000);
  afterAll(async () => {
    for (const world of worlds) await world.stop();
  });

  async function inBoth(what: (world: World) => Promise<unknown>): Promise<void> {
    await Promise.all(worlds.map(what));
  }

  /** What both tell once they tell the same, or when there is no more hope of it: they come to rest in their own time. */
  async function stories(): Promise<readonly (readonly string[])[]> {
    const both = () => Promise.all(worlds.map(told));
    await patiently(async () => {
      const [ours, theirs] = await both();
      return JSON.stringify(ours) === JSON.stringify(theirs);
    }, 'both tell the same').catch(() => undefined);
    return both();
  }

  const change = (spec: object) =>
    inBoth(({ client }) => client.patch(capi.machinedeployments, key, { type: 'merge', body: { spec } }));

  const complete = (machines: number) =>
    inBoth(({ client }) =>
      patiently(async () => {
        const found = await client.get(capi.machinedeployments, key);
        const { items } = await client.list(capi.machines, { namespace });
        return isComplete(found) && items.length === machines;
      }, `${machines} machines`),
    );

  it('When machines never become nodes, both should say what they wait for', async () => {
    await inBoth(async (world) => {
      world.cloud.boots = false;
      await world.client.create(capi.machinedeployments, aDeployment(2));
    });
    const [ours, theirs] = await stories();
    expect(ours).toEqual(theirs);
    await inBoth(async (world) => {
      await world.client.delete(capi.machinedeployments, key);
      await patiently(
        async () => (await world.client.list(capi.machinedeployments, { namespace })).items.length === 0,
        'nothing left',
      );
      world.cloud.boots = true;
    });
    const [oursLater, theirsLater] = await stories();
    expect(oursLater).toEqual(theirsLater);
  }, 200_000);

  it('When a deployment is made and scaled, both should write the same objects', async () => {
    await inBoth(({ client }) => client.create(capi.machinedeployments, aDeployment(2)));
    await complete(2);
    const [ours, theirs] = await stories();
    expect(ours).toEqual(theirs);
    await change({ replicas: 3 });
    await complete(3);
    const [oursLater, theirsLater] = await stories();
    expect(oursLater).toEqual(theirsLater);
  }, 200_000);

  it('When labels and timeouts change, both should bring them to machines and nodes in place', async () => {
    const labels = { 'example.com/team': 'a', 'node-role.kubernetes.io/worker': '' };
    const spec = { nodeDrainTimeout: '30s', nodeVolumeDetachTimeout: '40s', nodeDeletionTimeout: '50s' };
    await change({ template: { metadata: { labels }, spec } });
    const [ours, theirs] = await stories();
    expect(ours).toEqual(theirs);
  }, 200_000);

  it('When the template changes, both should replace all machines and keep the same history', async () => {
    await inBoth(({ client }) => createTemplate(client, 'template-2'));
    await change({ template: { spec: { version: '4.20.1', infrastructureRef: { name: 'template-2' } } } });
    await complete(3);
    const [ours, theirs] = await stories();
    expect(ours).toEqual(theirs);
    await change({
      strategy: { rollingUpdate: { maxSurge: 2, maxUnavailable: 1 } },
      template: { spec: { version: '4.20.0', infrastructureRef: { name: 'template-1' } } },
    });
    await complete(3);
    const [oursLater, theirsLater] = await stories();
    expect(oursLater).toEqual(theirsLater);
  }, 200_000);

  it('When more nodes are cut off than may be repaired, both should hold the brake and say why', async () => {
    await inBoth(async ({ client, hosted }) => {
      await client.create(capi.machinehealthchecks, aHealthCheck());
      const { items } = await hosted.list(corev1.nodes);
      for (const { metadata } of items.slice(0, 2)) await setReady(hosted, metadata.name ?? '', 'Unknown');
    });
    const [ours, theirs] = await stories();
    expect(ours).toEqual(theirs);
    await inBoth(async ({ client, hosted }) => {
      const { items } = await hosted.list(corev1.nodes);
      for (const { metadata } of items) await setReady(hosted, metadata.name ?? '', 'True');
      await patiently(
        async () => (await client.get(capi.machinehealthchecks, key)).status?.currentHealthy === 3,
        'all well again',
      );
    });
    const [oursLater, theirsLater] = await stories();
    expect(oursLater).toEqual(theirsLater);
  }, 200_000);

  it('When the strategy is OnDelete, both should leave old machines alone and mark their nodes', async () => {
    await change({ strategy: { type: 'OnDelete', rollingUpdate: null }, template: { spec: { version: '4.20.2' } } });
    const [ours, theirs] = await stories();
    expect(ours).toEqual(theirs);
    const [node] = (await worlds[0].hosted.list(corev1.nodes)).items;
    expect(node?.spec?.taints).toContainEqual({
      key: 'node.cluster.x-k8s.io/outdated-revision',
      effect: 'PreferNoSchedule',
    });
  }, 200_000);

  it('When the cluster is paused, both should say so everywhere', async () => {
    const body = { spec: { paused: true } };
    await inBoth(({ client }) => client.patch(capi.clusters, { namespace, name: 'demo' }, { type: 'merge', body }));
    const [ours, theirs] = await stories();
    expect(ours).toEqual(theirs);
  }, 200_000);
});

function aHealthCheck() {
  return {
    metadata: { name: 'pool', namespace },
    spec: {
      clusterName: 'demo',
      selector: { matchLabels: { pool: 'pool' } },
      maxUnhealthy: 1,
      // As upstream's conversion writes it back.
      nodeStartupTimeout: '20m0s',
      unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '1s' }],
    },
  };
}

/** A kubelet that reports, or one of which nothing is heard: then everything it reported is unknown. */
async function setReady(hosted: World['hosted'], name: string, status: 'True' | 'Unknown'): Promise<void> {
  const known = status === 'True';
  const conditions = ['Ready', 'MemoryPressure', 'DiskPressure', 'PIDPressure'].map((type) => ({
    type,
    status: known && type !== 'Ready' ? 'False' : status,
    reason: known ? 'KubeletReports' : 'NodeStatusUnknown',
    message: known ? 'as it should be' : 'Kubelet stopped posting node status.',
    lastTransitionTime: formatTime(Date.now()),
  }));
  const body = { status: { conditions } };
  await hosted.patch(corev1.nodes, { name }, { type: 'strategic', body }, { subresource: 'status' });
}
