import type { appsv1, batchv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import {
  appsv1 as apps,
  batchv1 as batch,
  corev1 as core,
  discoveryv1,
  formatTime,
  policyv1,
} from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCluster } from './testing/cluster.ts';
import { aDeployment, aNode, eventReasons, eventually, keyFor, settled, testCluster } from './testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await testCluster({ nodes: 3 });
});
afterAll(() => cluster?.stop());

const namespace = 'default';
const podsOf = async (app: string) =>
  (await cluster.client.list(core.pods, { namespace, labelSelector: `app=${app}` })).items;
const template = (app: string, spec: Partial<corev1.PodSpec> = {}) => ({
  metadata: { labels: { app } },
  spec: { containers: [{ name: 'c', image: 'example/a:1' }], terminationGracePeriodSeconds: 0, ...spec },
});
const newImage = (image: string) => ({
  type: 'strategic' as const,
  body: { spec: { template: { spec: { containers: [{ name: 'c', image }] } } } },
});

describe('StatefulSet', () => {
  const create = (name: string, spec: Partial<appsv1.StatefulSetSpec> = {}) =>
    cluster.client.create(apps.statefulsets, {
      metadata: { name, namespace },
      spec: {
        serviceName: name,
        replicas: 3,
        selector: { matchLabels: { app: name } },
        template: template(name),
        ...spec,
      },
    } as NewObject<appsv1.StatefulSet>);
  const get = (name: string) => cluster.client.get(apps.statefulsets, { namespace, name });

  it('When ordered, it should start pods one after another with stable names', async () => {
    await create('db');
    await eventually(async () =>
      expect((await get('db')).status).toMatchObject({
        replicas: 3,
        readyReplicas: 3,
        currentReplicas: 3,
        updatedReplicas: 3,
      }),
    );
    const pods = [...(await podsOf('db'))].sort(
      (a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion),
    );
    expect(pods.map(({ metadata }) => metadata.name)).toEqual(['db-0', 'db-1', 'db-2']);
    expect(pods[1]?.spec).toMatchObject({ hostname: 'db-1', subdomain: 'db' });
    expect(pods[1]?.metadata.labels?.['apps.kubernetes.io/pod-index']).toBe('1');
    const { status } = await get('db');
    expect(status?.currentRevision).toBe(status?.updateRevision);
  });

  it('When its template changes under a partition, it should replace only the pods above it, then all', async () => {
    const before = (await get('db')).status?.currentRevision;
    await cluster.client.patch(
      apps.statefulsets,
      { namespace, name: 'db' },
      {
        type: 'merge',
        body: { spec: { updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: 2 } } } },
      },
    );
    await cluster.client.patch(apps.statefulsets, { namespace, name: 'db' }, newImage('example/a:2'));
    await eventually(async () =>
      expect((await get('db')).status).toMatchObject({ updatedReplicas: 1, readyReplicas: 3 }),
    );
    const images = async () =>
      (await podsOf('db')).map(({ metadata, spec }) => `${metadata.name} ${spec.containers[0]?.image}`).sort();
    expect(await images()).toEqual(['db-0 example/a:1', 'db-1 example/a:1', 'db-2 example/a:2']);
    await cluster.client.patch(
      apps.statefulsets,
      { namespace, name: 'db' },
      {
        type: 'merge',
        body: { spec: { updateStrategy: { rollingUpdate: { partition: 0 } } } },
      },
    );
    await eventually(async () => {
      const { status } = await get('db');
      expect(status).toMatchObject({ updatedReplicas: 3, readyReplicas: 3 });
      expect(status?.currentRevision).toBe(status?.updateRevision);
      expect(status?.currentRevision).not.toBe(before);
    });
    const { items } = await cluster.client.list(apps.controllerrevisions, { namespace, labelSelector: 'app=db' });
    expect(items.map(({ revision }) => `${revision}`).sort()).toEqual(['1', '2']);
  });

  it('When scaled down, it should take the highest pod first and keep or delete claims by its policy', async () => {
    await create('vol', {
      replicas: 2,
      podManagementPolicy: 'Parallel',
      persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Delete' },
      volumeClaimTemplates: [
        {
          apiVersion: 'v1',
          kind: 'PersistentVolumeClaim',
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    });
    const claims = async () =>
      (await cluster.client.list(core.persistentvolumeclaims, { namespace })).items
        .map(({ metadata }) => `${metadata.name}`)
        .sort();
    await eventually(async () => expect(await claims()).toEqual(['data-vol-0', 'data-vol-1']));
    await eventually(async () => expect(await podsOf('vol')).toHaveLength(2));
    await cluster.client.patch(
      apps.statefulsets,
      { namespace, name: 'vol' },
      { type: 'merge', body: { spec: { replicas: 1 } } },
    );
    await eventually(async () => expect((await podsOf('vol')).map(({ metadata }) => metadata.name)).toEqual(['vol-0']));
    await eventually(async () => expect(await claims()).toEqual(['data-vol-0']));
  });
});

describe('DaemonSet', () => {
  it('When nodes come, change and go, it should run one pod on each that it belongs on', async () => {
    await cluster.client.create(apps.daemonsets, {
      metadata: { name: 'agent', namespace },
      spec: { selector: { matchLabels: { app: 'agent' } }, template: template('agent') },
    } as NewObject<appsv1.DaemonSet>);
    const nodes = async () => (await podsOf('agent')).map(({ spec }) => `${spec.nodeName}`).sort();
    await eventually(async () => expect(await nodes()).toEqual(['node-0', 'node-1', 'node-2']));
    await cluster.client.create(core.nodes, aNode('node-3'));
    await eventually(async () => expect(await nodes()).toEqual(['node-0', 'node-1', 'node-2', 'node-3']));
    await cluster.client.patch(
      core.nodes,
      { name: 'node-3' },
      {
        type: 'merge',
        body: { spec: { taints: [{ key: 'x', effect: 'NoExecute' }] } },
      },
    );
    await eventually(async () => expect(await nodes()).toEqual(['node-0', 'node-1', 'node-2']));
    await eventually(async () =>
      expect((await cluster.client.get(apps.daemonsets, { namespace, name: 'agent' })).status).toMatchObject({
        desiredNumberScheduled: 3,
        numberReady: 3,
        numberAvailable: 3,
        updatedNumberScheduled: 3,
        numberMisscheduled: 0,
      }),
    );
  });

  it('When its template changes, it should replace the pods node by node', async () => {
    await cluster.client.patch(apps.daemonsets, { namespace, name: 'agent' }, newImage('example/a:2'));
    await eventually(async () => {
      expect((await podsOf('agent')).map(({ spec }) => spec.containers[0]?.image)).toEqual(
        Array(3).fill('example/a:2'),
      );
      const { status } = await cluster.client.get(apps.daemonsets, { namespace, name: 'agent' });
      expect(status).toMatchObject({ updatedNumberScheduled: 3, numberAvailable: 3 });
    });
  });
});

describe('Job', () => {
  const create = (name: string, spec: Partial<batchv1.JobSpec>) =>
    cluster.client.create(batch.jobs, {
      metadata: { name, namespace },
      spec: { template: template(name, { restartPolicy: 'Never' }), ...spec },
    } as NewObject<batchv1.Job>);
  const get = (name: string) => cluster.client.get(batch.jobs, { namespace, name });
  const finish = async (pod: corev1.Pod, phase: 'Succeeded' | 'Failed', exitCode = phase === 'Failed' ? 1 : 0) => {
    const terminated = { exitCode, finishedAt: formatTime(Date.now() - 60_000) };
    const containerStatuses = [
      { name: 'c', image: 'x', imageID: '', ready: false, restartCount: 0, state: { terminated } },
    ];
    const body = { status: { phase, containerStatuses } };
    await cluster.client.patch(core.pods, keyFor(pod), { type: 'strategic', body }, { subresource: 'status' });
  };
  const running = async (name: string, count: number) =>
    eventually(async () => {
      const pods = (await podsOf(name)).filter(({ status }) => status?.phase === 'Running');
      expect(pods).toHaveLength(count);
      return pods;
    });

  it('When its pods succeed, it should count them and complete', async () => {
    await create('batch', { completions: 3, parallelism: 2 });
    for (const pod of await running('batch', 2)) await finish(pod, 'Succeeded');
    for (const pod of await running('batch', 1)) await finish(pod, 'Succeeded');
    await eventually(async () => {
      const { status } = await get('batch');
      expect(status).toMatchObject({ succeeded: 3, uncountedTerminatedPods: {} });
      expect(status?.active ?? 0).toBe(0);
      expect(status?.conditions?.map(({ type, reason }) => `${type} ${reason}`)).toEqual([
        'SuccessCriteriaMet CompletionsReached',
        'Complete CompletionsReached',
      ]);
      expect(status?.completionTime).toBeDefined();
    });
    expect((await podsOf('batch')).every(({ metadata }) => !metadata.finalizers?.length)).toBe(true);
    await eventually(async () => expect(await eventReasons(cluster.client, 'batch')).toContain('Completed'));
  });

  it('When it counts by index, it should give each pod one and say which are done', async () => {
    await create('indexed', { completions: 3, parallelism: 3, completionMode: 'Indexed' });
    const pods = await running('indexed', 3);
    expect(
      pods.map(({ metadata }) => `${metadata.annotations?.['batch.kubernetes.io/job-completion-index']}`).sort(),
    ).toEqual(['0', '1', '2']);
    for (const pod of pods) await finish(pod, 'Succeeded');
    await eventually(async () =>
      expect((await get('indexed')).status).toMatchObject({ succeeded: 3, completedIndexes: '0-2' }),
    );
  });

  it('When its pods fail too often, it should fail and say why', async () => {
    await create('broken', { backoffLimit: 1 });
    for (const pod of await running('broken', 1)) await finish(pod, 'Failed');
    for (const pod of await running('broken', 1)) await finish(pod, 'Failed');
    await eventually(async () => {
      const { status } = await get('broken');
      expect(status?.failed).toBe(2);
      expect(status?.conditions?.map(({ type, reason, message }) => `${type} ${reason} ${message}`)).toEqual([
        'FailureTarget BackoffLimitExceeded Job has reached the specified backoff limit',
        'Failed BackoffLimitExceeded Job has reached the specified backoff limit',
      ]);
    });
  });

  it('When a failure matches its policy, it should fail at once', async () => {
    await create('policy', {
      podFailurePolicy: { rules: [{ action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } }] },
    });
    for (const pod of await running('policy', 1)) await finish(pod, 'Failed', 42);
    await eventually(async () => {
      const { status } = await get('policy');
      expect(status?.conditions?.find(({ type }) => type === 'Failed')?.reason).toBe('PodFailurePolicy');
    });
  });

  it('When suspended and resumed, it should stop its pods and start again', async () => {
    await create('later', { suspend: true });
    await eventually(async () =>
      expect((await get('later')).status?.conditions?.[0]).toMatchObject({
        type: 'Suspended',
        status: 'True',
        reason: 'JobSuspended',
      }),
    );
    expect(await podsOf('later')).toHaveLength(0);
    await cluster.client.patch(
      batch.jobs,
      { namespace, name: 'later' },
      { type: 'merge', body: { spec: { suspend: false } } },
    );
    await running('later', 1);
    expect((await get('later')).status?.startTime).toBeDefined();
  });

  it('When finished with a time to live, it should be deleted with its pods', async () => {
    await create('brief', { ttlSecondsAfterFinished: 0 });
    for (const pod of await running('brief', 1)) await finish(pod, 'Succeeded');
    await eventually(async () => expect(await podsOf('brief')).toHaveLength(0));
    await eventually(async () =>
      expect(
        (await cluster.client.list(batch.jobs, { namespace })).items.map(({ metadata }) => metadata.name),
      ).not.toContain('brief'),
    );
  });
});

describe('services and budgets', () => {
  it('When pods become ready and go, endpoints and slices should follow', async () => {
    await cluster.client.create(apps.deployments, aDeployment('api', 2));
    await cluster.client.create(core.services, {
      metadata: { name: 'api', namespace },
      spec: { selector: { app: 'api' }, ports: [{ name: 'http', port: 80, targetPort: 8080 }] },
    } as NewObject<corev1.Service>);
    const slices = async () =>
      (
        await cluster.client.list(discoveryv1.endpointslices, {
          namespace,
          labelSelector: 'kubernetes.io/service-name=api',
        })
      ).items;
    await eventually(async () => {
      const [slice, ...others] = await slices();
      expect(others).toEqual([]);
      expect(slice?.endpoints).toHaveLength(2);
      expect(slice?.ports).toEqual([{ name: 'http', port: 8080, protocol: 'TCP' }]);
      expect(slice?.endpoints?.every(({ conditions }) => conditions?.ready)).toBe(true);
      const { subsets } = await cluster.client.get(core.endpoints, { namespace, name: 'api' });
      expect(subsets?.[0]?.addresses).toHaveLength(2);
    });
    await cluster.client.patch(
      apps.deployments,
      { namespace, name: 'api' },
      { type: 'merge', body: { spec: { replicas: 0 } } },
    );
    await eventually(async () => {
      expect((await slices()).flatMap(({ endpoints }) => endpoints ?? [])).toEqual([]);
      expect((await cluster.client.get(core.endpoints, { namespace, name: 'api' })).subsets ?? []).toEqual([]);
    });
    await cluster.client.delete(core.services, { namespace, name: 'api' });
    await eventually(async () => expect(await slices()).toEqual([]));
  });

  it('When a budget selects pods, it should say how many may go', async () => {
    await cluster.client.create(apps.deployments, aDeployment('guarded', 3));
    await cluster.client.create(policyv1.poddisruptionbudgets, {
      metadata: { name: 'guarded', namespace },
      spec: { maxUnavailable: 1, selector: { matchLabels: { app: 'guarded' } } },
    } as NewObject<policyv1.PodDisruptionBudget>);
    await eventually(async () =>
      expect(
        (await cluster.client.get(policyv1.poddisruptionbudgets, { namespace, name: 'guarded' })).status,
      ).toMatchObject({
        expectedPods: 3,
        currentHealthy: 3,
        desiredHealthy: 2,
        disruptionsAllowed: 1,
      }),
    );
  });

  it('When all is done, the cluster should come to rest without a complaint', async () => {
    await settled(cluster);
    expect(cluster.logged).toEqual([]);
  });
});
