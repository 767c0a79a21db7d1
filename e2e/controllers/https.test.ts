import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { appsv1, corev1 as core } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { controllerManager, scheduler } from '@hypershift-ts/kube-controllers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCluster } from './testing/cluster.ts';
import { aDeployment, eventually, settled, testCluster } from './testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await testCluster({ https: true });
});
afterAll(() => cluster?.stop());

const namespace = 'default';
const podsOf = async (app: string) =>
  (await cluster.client.list(core.pods, { namespace, labelSelector: `app=${app}` })).items;

describe('controllers over HTTPS', () => {
  it('When a deployment is created, rolled and deleted, it should go as it does in process', async () => {
    await cluster.client.create(appsv1.deployments, aDeployment('far', 5));
    const get = () => cluster.client.get(appsv1.deployments, { namespace, name: 'far' });
    await eventually(async () => expect((await get()).status?.availableReplicas).toBe(5));
    expect(await podsOf('far')).toHaveLength(5);
    const body = { spec: { template: { spec: { containers: [{ name: 'c', image: 'example/a:2' }] } } } };
    await cluster.client.patch(appsv1.deployments, { namespace, name: 'far' }, { type: 'strategic', body });
    await eventually(async () => {
      expect((await podsOf('far')).map(({ spec }) => spec.containers[0]?.image)).toEqual(Array(5).fill('example/a:2'));
    });
    await cluster.client.delete(appsv1.deployments, { namespace, name: 'far' }, { propagationPolicy: 'Foreground' });
    await eventually(async () => expect(await podsOf('far')).toHaveLength(0));
    await settled(cluster);
    expect(cluster.logged).toEqual([]);
  });

  it('When a namespace goes, it should empty it', async () => {
    await cluster.client.create(core.namespaces, { metadata: { name: 'brief' } });
    await cluster.client.create(core.configmaps, { metadata: { name: 'c', namespace: 'brief' } });
    await cluster.client.delete(core.namespaces, { name: 'brief' });
    await eventually(async () => {
      const names = (await cluster.client.list(core.namespaces)).items.map(({ metadata }) => metadata.name);
      expect(names).not.toContain('brief');
    });
  });
});

describe('adoption', () => {
  it('When pods that match are there already, a ReplicaSet should take them instead of making more, and let go of others', async () => {
    const labels = { app: 'found' };
    await cluster.client.create(core.pods, {
      metadata: { name: 'stray', namespace, labels },
      spec: { containers: [{ name: 'c', image: 'example/a:1' }] },
    } as NewObject<corev1.Pod>);
    await cluster.client.create(appsv1.replicasets, {
      metadata: { name: 'found', namespace },
      spec: {
        replicas: 2,
        selector: { matchLabels: labels },
        template: { metadata: { labels }, spec: { containers: [{ name: 'c', image: 'example/a:1' }] } },
      },
    } as NewObject<appsv1.ReplicaSet>);
    await eventually(async () => {
      const pods = await podsOf('found');
      expect(pods).toHaveLength(2);
      expect(pods.find(({ metadata }) => metadata.name === 'stray')?.metadata.ownerReferences?.[0]?.name).toBe('found');
    });
    await cluster.client.patch(
      core.pods,
      { namespace, name: 'stray' },
      { type: 'merge', body: { metadata: { labels: { app: 'lost' } } } },
    );
    await eventually(async () => {
      expect(await podsOf('found')).toHaveLength(2);
      const [stray] = await podsOf('lost');
      expect(stray?.metadata.ownerReferences ?? []).toEqual([]);
    });
  });
});

describe('leaders', () => {
  it('When several schedulers stand by, only the leader should work, and the next should take over from it', async () => {
    const start = (identity: string) => {
      const lease = { namespace: 'kube-system', name: 'second-scheduler' };
      const leaderElection = { lease, identity, retryPeriodMs: 50, renewDeadlineMs: 400, leaseDurationMs: 600 };
      const one = scheduler({ client: cluster.client, name: 'second-scheduler', leaderElection });
      return { one, started: one.start() };
    };
    const pod = (name: string) =>
      cluster.client.create(core.pods, {
        metadata: { name, namespace },
        spec: { schedulerName: 'second-scheduler', containers: [{ name: 'c', image: 'x' }] },
      } as NewObject<corev1.Pod>);
    const nodeOf = async (name: string) => (await cluster.client.get(core.pods, { namespace, name })).spec.nodeName;
    const first = start('first');
    await first.started;
    const second = start('second');
    await pod('led-1');
    await eventually(async () => expect(await nodeOf('led-1')).toBeDefined());
    await first.one.stop();
    await second.started;
    await pod('led-2');
    await eventually(async () => expect(await nodeOf('led-2')).toBeDefined());
    await second.one.stop();
  });
});

describe('switches', () => {
  it('When a controller is not known, it should be refused by name', () => {
    expect(() => controllerManager({ client: cluster.client, enabled: ['*', '-deployments'] })).toThrow(
      'unknown controllers: -deployments',
    );
  });
});
