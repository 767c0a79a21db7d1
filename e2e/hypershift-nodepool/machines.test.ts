/** Node pools with Cluster API really at work: the sequence an operator of clusters would watch. */
import { annotations, hostedClusters, nodePools } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { corev1, isNotFound, policyv1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { awsv1beta2 } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cloud, setNodeHealth, startCloud } from './cloud.ts';
import {
  aHostedClusterOn,
  aPool,
  conditionOf,
  eventually,
  namespace,
  poolNamed,
  startWorld,
  version,
  versionStatus,
  type World,
} from './world.ts';

const newer = '4.20.8';
let world: World;
let cloud: Cloud;
beforeAll(async () => {
  world = await startWorld('aws');
  const cluster = await aHostedClusterOn(world.client, 'AWS');
  const status = { ...cluster.status, version: versionStatus(newer) };
  await world.client.update(hostedClusters, { ...cluster, status } as never, { subresource: 'status' });
  cloud = await startCloud(world.client);
}, 60_000);
afterAll(async () => {
  await cloud?.stop();
  await world?.stop();
});

const machines = async () => (await world.client.list(capiv1beta1.machines, { namespace })).items;
const edit = (spec: object) =>
  world.client.patch(nodePools, { namespace: 'clusters', name: 'workers' }, { type: 'merge', body: { spec } });
const runs = (wanted: string, replicas: number) =>
  eventually(async () => {
    expect((await poolNamed(world.client, 'workers')).status).toMatchObject({ version: wanted, replicas });
    expect(await conditionOf(world.client, 'workers', 'AllNodesHealthy')).toMatchObject({ status: 'True' });
    expect(await machines()).toHaveLength(replicas);
  });

describe('A pool with Cluster API at work', () => {
  it('When it is created, its machines should become nodes and its conditions should say so', async () => {
    const { client } = world;
    await aPool(client, 'workers', 'AWS', { replicas: 3, nodeLabels: { team: 'blue' } });
    await runs(version, 3);
    await eventually(async () => {
      const { status } = await poolNamed(client, 'workers');
      expect(status?.nodesInfo?.nodeVersions).toEqual([
        { ocpVersion: version, kubeletVersion: 'v1.33.5', readyNodeCount: 3, unreadyNodeCount: 0 },
      ]);
      for (const [type, value] of [
        ['Ready', 'True'],
        ['AllMachinesReady', 'True'],
        ['UpdatingVersion', 'False'],
        ['UpdatingConfig', 'False'],
        ['UpdatingPlatformMachineTemplate', 'False'],
      ] as const)
        expect(await conditionOf(client, 'workers', type)).toMatchObject({ type, status: value });
      for (const { metadata } of await machines())
        expect(metadata.labels).toMatchObject({ 'managed.hypershift.openshift.io.team': 'blue' });
    });
  });

  it('When the release changes, there should never be fewer machines than wanted nor more than one too many', async () => {
    const { client } = world;
    const old = new Set((await machines()).map(({ metadata }) => metadata.name));
    const levels: { total: number; nodes: number }[] = [];
    await edit({ release: { image: embeddedReleaseImage(newer) } });
    await eventually(async () => {
      const all = await machines();
      const alive = all.filter(({ metadata, status }) => !metadata.deletionTimestamp && status?.nodeRef);
      levels.push({ total: all.filter(({ metadata }) => !metadata.deletionTimestamp).length, nodes: alive.length });
      expect((await poolNamed(client, 'workers')).status?.version).toBe(newer);
      expect(all.some(({ metadata }) => old.has(metadata.name))).toBe(false);
    });
    expect(Math.min(...levels.map(({ nodes }) => nodes))).toBeGreaterThanOrEqual(3);
    expect(Math.max(...levels.map(({ total }) => total))).toBeLessThanOrEqual(4);
    await runs(newer, 3);
    for (const { metadata, spec } of await machines()) {
      expect(spec.version).toBe(newer);
      expect(metadata.annotations?.[annotations.releaseVersion.key]).toBe(newer);
    }
  });

  it('When it is scaled, no machine should be replaced', async () => {
    const before = (await machines()).map(({ metadata }) => metadata.name);
    await edit({ replicas: 5 });
    await runs(newer, 5);
    const after = (await machines()).map(({ metadata }) => metadata.name);
    expect(after).toEqual(expect.arrayContaining(before));
    expect((await world.client.list(capiv1beta1.machinesets, { namespace })).items.length).toBeLessThanOrEqual(2);
    expect(await conditionOf(world.client, 'workers', 'UpdatingVersion')).toMatchObject({ status: 'False' });
  });

  it('When too many nodes are ill at once, none should be replaced and the pool should say why', async () => {
    const { client } = world;
    const secret = (await client.get(capiv1beta1.machinedeployments, { namespace, name: 'workers' })).spec.template.spec
      .bootstrap.dataSecretName;
    const token = { namespace, name: (secret ?? '').replace('user-data', 'token') };
    const reached = { metadata: { annotations: { [annotations.ignitionReached.key]: 'True' } } };
    await client.patch(corev1.secrets, token, { type: 'merge', body: reached });
    const hasty = { metadata: { annotations: { [annotations.machineHealthCheckTimeout.key]: '1s' } } };
    await client.patch(nodePools, { namespace: 'clusters', name: 'workers' }, { type: 'merge', body: hasty });
    await edit({ management: { autoRepair: true } });
    await eventually(() => client.get(capiv1beta1.machinehealthchecks, { namespace, name: 'workers' }));
    const names = (await machines()).map(({ metadata }) => metadata.name ?? '');
    for (const name of names.slice(0, 3)) await setNodeHealth(cloud.hosted, name, false);
    await eventually(async () => {
      expect(await conditionOf(client, 'workers', 'AllNodesHealthy')).toMatchObject({ status: 'False' });
      expect(await conditionOf(client, 'workers', 'Ready')).toMatchObject({
        status: 'False',
        reason: 'TooManyUnhealthy',
        message: expect.stringContaining('maxUnhealthy'),
      });
    });
    expect((await machines()).map(({ metadata }) => metadata.name)).toEqual(names);
    for (const name of names) await setNodeHealth(cloud.hosted, name, true);
    await eventually(async () =>
      expect(await conditionOf(client, 'workers', 'Ready')).toMatchObject({ status: 'True' }),
    );
    await runs(newer, 5);
  });

  it('When one node is ill for too long, its machine should be replaced', async () => {
    const [first] = await machines();
    const name = first?.metadata.name ?? '';
    await setNodeHealth(cloud.hosted, name, false);
    await eventually(async () => {
      const names = (await machines()).map(({ metadata }) => metadata.name);
      expect(names).not.toContain(name);
      expect(names).toHaveLength(5);
    });
    await runs(newer, 5);
  });

  it('When a budget holds up a drain, pod and budget should be named on the pool', async () => {
    const { client } = world;
    const { hosted } = cloud;
    const [first] = await machines();
    const name = first?.metadata.name ?? '';
    await hosted.create(corev1.namespaces, { metadata: { name: 'shop' } });
    const labels = { app: 'web' };
    // Pods are refused until the namespace has its service account.
    await eventually(() =>
      hosted.create(corev1.pods, {
        metadata: { name: 'web-0', namespace: 'shop', labels },
        spec: { nodeName: name, containers: [{ name: 'web', image: 'web' }] },
      } as never),
    );
    const status = { phase: 'Running', conditions: [{ type: 'Ready', status: 'True' }] };
    await hosted.patch(
      corev1.pods,
      { namespace: 'shop', name: 'web-0' },
      { type: 'merge', body: { status } },
      { subresource: 'status' },
    );
    await hosted.create(policyv1.poddisruptionbudgets, {
      metadata: { name: 'web', namespace: 'shop' },
      spec: { minAvailable: 1, selector: { matchLabels: labels } },
    } as never);
    await eventually(async () => {
      const budget = await hosted.get(policyv1.poddisruptionbudgets, { namespace: 'shop', name: 'web' });
      expect(budget.status).toMatchObject({ expectedPods: 1, disruptionsAllowed: 0 });
    });
    await client.delete(capiv1beta1.machines, { namespace, name });
    await eventually(async () => {
      const found = await conditionOf(client, 'workers', 'AllMachinesReady');
      expect(found?.message).toContain(`Machine ${name}: `);
      expect(found?.message).toContain('web-0');
      expect(found?.message).toContain('disruption budget');
    });
    await hosted.delete(policyv1.poddisruptionbudgets, { namespace: 'shop', name: 'web' });
    await hosted.delete(corev1.pods, { namespace: 'shop', name: 'web-0' }, { gracePeriodSeconds: 0 });
  }, 30_000);

  it('When it is deleted, machines, templates, Secrets and nodes should go with it', async () => {
    const { client } = world;
    await edit({ nodeDrainTimeout: '1s' });
    await client.delete(nodePools, { namespace: 'clusters', name: 'workers' });
    await eventually(async () => {
      await expect(poolNamed(client, 'workers')).rejects.toSatisfy(isNotFound);
    });
    expect(await machines()).toEqual([]);
    expect((await client.list(awsv1beta2.awsmachinetemplates, { namespace })).items).toEqual([]);
    expect((await client.list(capiv1beta1.machinehealthchecks, { namespace })).items).toEqual([]);
    const left = (await client.list(corev1.secrets, { namespace })).items.map(({ metadata }) => metadata.name);
    expect(left).toEqual(['ignition-server-ca-cert']);
  }, 40_000);
});
