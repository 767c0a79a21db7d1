import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCluster } from './testing/cluster.ts';
import { aDeployment, eventReasons, eventually, settled, testCluster } from './testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await testCluster();
});
afterAll(() => cluster?.stop());

const get = (name: string) => cluster.client.get(appsv1.deployments, { namespace: 'default', name });
const podsOf = async (app: string) =>
  (await cluster.client.list(corev1.pods, { namespace: 'default', labelSelector: `app=${app}` })).items;

describe('Deployment', () => {
  it('When created, it should run its pods on nodes and report itself available and complete', async () => {
    await cluster.client.create(appsv1.deployments, aDeployment('web', 3));
    await eventually(async () => {
      const { status, metadata } = await get('web');
      expect(status).toMatchObject({ replicas: 3, readyReplicas: 3, availableReplicas: 3, updatedReplicas: 3 });
      const reasons = status?.conditions?.map(({ type, status: value, reason }) => `${type}=${value} ${reason}`).sort();
      expect(reasons).toEqual(['Available=True MinimumReplicasAvailable', 'Progressing=True NewReplicaSetAvailable']);
      expect(metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('1');
    });
    const pods = await podsOf('web');
    expect(pods).toHaveLength(3);
    expect(new Set(pods.map(({ spec }) => spec.nodeName)).size).toBe(2);
    expect(pods.every(({ metadata }) => metadata.labels?.['pod-template-hash'] !== undefined)).toBe(true);
    await eventually(async () => expect(await eventReasons(cluster.client, 'web')).toContain('ScalingReplicaSet'));
  });

  it('When its template changes, it should roll over without dropping below what it promised', async () => {
    await cluster.client.create(appsv1.deployments, aDeployment('roll', 4));
    await eventually(async () => expect((await get('roll')).status?.availableReplicas).toBe(4));
    let least = 4;
    let most = 4;
    const watching = { on: true };
    const watch = (async () => {
      while (watching.on) {
        const pods = await podsOf('roll');
        const up = pods.filter(({ status, metadata }) => status?.phase === 'Running' && !metadata.deletionTimestamp);
        least = Math.min(least, up.length);
        most = Math.max(most, pods.filter(({ metadata }) => !metadata.deletionTimestamp).length);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    const body = { spec: { template: { spec: { containers: [{ name: 'c', image: 'example/a:2' }] } } } };
    await cluster.client.patch(appsv1.deployments, { namespace: 'default', name: 'roll' }, { type: 'strategic', body });
    await eventually(async () => {
      const pods = await podsOf('roll');
      expect(pods.map(({ spec }) => spec.containers[0]?.image)).toEqual(Array(4).fill('example/a:2'));
      expect((await get('roll')).status).toMatchObject({ updatedReplicas: 4, replicas: 4, availableReplicas: 4 });
    });
    watching.on = false;
    await watch;
    expect(least).toBeGreaterThanOrEqual(3);
    expect(most).toBeLessThanOrEqual(5);
    const sets = (await cluster.client.list(appsv1.replicasets, { labelSelector: 'app=roll' })).items;
    const revisions = sets
      .map(({ metadata }) => `${metadata.annotations?.['deployment.kubernetes.io/revision']}`)
      .sort();
    expect(revisions).toEqual(['1', '2']);
  });

  it('When the old template comes back, it should reuse its ReplicaSet under a new revision', async () => {
    const body = { spec: { template: { spec: { containers: [{ name: 'c', image: 'example/a:1' }] } } } };
    await cluster.client.patch(appsv1.deployments, { namespace: 'default', name: 'roll' }, { type: 'strategic', body });
    await eventually(async () => {
      const sets = (await cluster.client.list(appsv1.replicasets, { labelSelector: 'app=roll' })).items;
      expect(sets).toHaveLength(2);
      expect((await get('roll')).metadata.annotations?.['deployment.kubernetes.io/revision']).toBe('3');
      const old = sets.find(({ metadata }) => metadata.annotations?.['deployment.kubernetes.io/revision'] === '3');
      expect(old?.metadata.annotations?.['deployment.kubernetes.io/revision-history']).toBe('1');
      expect(old?.status?.availableReplicas).toBe(4);
    });
  });

  it('When scaled, it should follow up and down to zero', async () => {
    const scale = (replicas: number) =>
      cluster.client.patch(
        appsv1.deployments,
        { namespace: 'default', name: 'web' },
        { type: 'merge', body: { spec: { replicas } } },
      );
    await scale(6);
    await eventually(async () => expect((await get('web')).status?.availableReplicas).toBe(6));
    await scale(0);
    await eventually(async () => expect(await podsOf('web')).toHaveLength(0));
    await eventually(async () => expect((await get('web')).status?.replicas ?? 0).toBe(0));
  });

  it('When paused, it should scale but not roll, and say so', async () => {
    await cluster.client.create(appsv1.deployments, aDeployment('held', 1));
    await eventually(async () => expect((await get('held')).status?.availableReplicas).toBe(1));
    const body = { spec: { paused: true, template: { spec: { containers: [{ name: 'c', image: 'example/a:9' }] } } } };
    await cluster.client.patch(appsv1.deployments, { namespace: 'default', name: 'held' }, { type: 'strategic', body });
    await eventually(async () => {
      const { status } = await get('held');
      expect(status?.conditions?.find(({ type }) => type === 'Progressing')?.reason).toBe('DeploymentPaused');
    });
    expect((await podsOf('held')).map(({ spec }) => spec.containers[0]?.image)).toEqual(['example/a:1']);
    await cluster.client.patch(
      appsv1.deployments,
      { namespace: 'default', name: 'held' },
      { type: 'merge', body: { spec: { paused: false } } },
    );
    await eventually(async () =>
      expect((await podsOf('held')).map(({ spec }) => spec.containers[0]?.image)).toEqual(['example/a:9']),
    );
  });

  it('When its strategy is Recreate, it should never run old and new pods together', async () => {
    await cluster.client.create(appsv1.deployments, aDeployment('re', 2, { strategy: { type: 'Recreate' } }));
    await eventually(async () => expect((await get('re')).status?.availableReplicas).toBe(2));
    const body = { spec: { template: { spec: { containers: [{ name: 'c', image: 'example/a:2' }] } } } };
    await cluster.client.patch(appsv1.deployments, { namespace: 'default', name: 're' }, { type: 'strategic', body });
    await eventually(async () => {
      const images = new Set((await podsOf('re')).map(({ spec }) => spec.containers[0]?.image));
      expect(images.size).toBeLessThanOrEqual(1);
      expect((await get('re')).status).toMatchObject({ updatedReplicas: 2, availableReplicas: 2 });
    });
  });

  it('When nothing changes any more, it should write nothing', async () => {
    await settled(cluster);
    expect(cluster.logged).toEqual([]);
  });
});
