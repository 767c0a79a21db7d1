import { appsv1, batchv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { InformerCache } from '@hypershift-ts/kube-client';
import { controllerManager, scheduler } from '@hypershift-ts/kube-controllers';
import { EmbeddedCluster } from '@hypershift-ts/kube-embedded';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { aDeployment, aNode, eventually, runPods } from './testing/cluster.ts';

let cluster: EmbeddedCluster;
beforeAll(async () => {
  cluster = await EmbeddedCluster.start({ controllers: false });
});
afterAll(() => cluster?.stop());

const namespace = 'default';

/** Everything beside the API server; stopping it is what a crash of the controller manager looks like to the cluster. */
async function startParts(): Promise<() => Promise<void>> {
  const client = cluster.client();
  const cache = new InformerCache({ client });
  const manager = controllerManager({ client, cache });
  const pods = scheduler({ client, cache });
  await manager.start();
  await pods.start();
  const kubelet = runPods(client, cache);
  return async () => {
    kubelet();
    await pods.stop();
    await manager.stop();
    await cache.stop();
  };
}

describe('controllers that are restarted all the time', () => {
  it('When they come and go during rollouts and jobs, everything should end as if they had not', async () => {
    const client = cluster.client();
    for (const name of ['a', 'b']) await client.create(corev1.nodes, aNode(name));
    let stop = await startParts();
    await eventually(() => client.get(corev1.serviceaccounts, { namespace, name: 'default' }));
    for (let i = 0; i < 4; i++) await client.create(appsv1.deployments, aDeployment(`d${i}`, 6));
    await client.create(batchv1.jobs, {
      metadata: { name: 'work', namespace },
      spec: {
        completions: 6,
        parallelism: 2,
        template: {
          metadata: { labels: { app: 'work' } },
          spec: { restartPolicy: 'Never', containers: [{ name: 'c', image: 'x' }] },
        },
      },
    } as NewObject<batchv1.Job>);
    for (let round = 2; round < 7; round++) {
      await new Promise((resolve) => setTimeout(resolve, 40));
      await stop();
      const body = { spec: { template: { spec: { containers: [{ name: 'c', image: `example/a:${round}` }] } } } };
      for (let i = 0; i < 4; i++)
        await client.patch(appsv1.deployments, { namespace, name: `d${i}` }, { type: 'strategic', body });
      for (const { metadata, status } of (await client.list(corev1.pods, { namespace, labelSelector: 'app=work' }))
        .items) {
        if (status?.phase !== 'Running') continue;
        const key = { namespace, name: metadata.name ?? '' };
        await client.patch(
          corev1.pods,
          key,
          { type: 'merge', body: { status: { phase: 'Succeeded' } } },
          { subresource: 'status' },
        );
      }
      stop = await startParts();
    }
    await eventually(async () => {
      const pods = (await client.list(corev1.pods, { namespace })).items.filter(
        ({ metadata }) => metadata.labels?.['app'] !== 'work',
      );
      expect(pods.map(({ spec }) => spec.containers[0]?.image)).toEqual(Array(24).fill('example/a:6'));
      const { items } = await client.list(appsv1.deployments, { namespace });
      expect(items.map(({ status }) => status?.availableReplicas)).toEqual([6, 6, 6, 6]);
    });
    await eventually(async () => {
      for (const { metadata, status } of (await client.list(corev1.pods, { namespace, labelSelector: 'app=work' }))
        .items) {
        if (status?.phase !== 'Running') continue;
        const key = { namespace, name: metadata.name ?? '' };
        await client.patch(
          corev1.pods,
          key,
          { type: 'merge', body: { status: { phase: 'Succeeded' } } },
          { subresource: 'status' },
        );
      }
      const { status } = await client.get(batchv1.jobs, { namespace, name: 'work' });
      expect(status?.conditions?.map(({ type }) => type)).toContain('Complete');
    });
    const { status } = await client.get(batchv1.jobs, { namespace, name: 'work' });
    expect(status).toMatchObject({ succeeded: 6 });
    expect((await client.list(corev1.pods, { namespace, labelSelector: 'app=work' })).items).toHaveLength(6);
    await stop();
  });
});
