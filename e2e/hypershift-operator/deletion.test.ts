import { hostedClusters, hostedControlPlanes, nodePools } from '@hypershift-ts/hypershift-api';
import { appsv1, corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, OperatorUnderTest, releaseImage } from './operator-harness.ts';

let operator: OperatorUnderTest;
beforeAll(async () => {
  operator = await OperatorUnderTest.start({ providers: ['kubevirt'] });
  await operator.pullSecret();
}, 60_000);
afterAll(() => operator?.stop());

const held = 'example.com/held';

async function hold(type: ResourceType<KubeObject>, key: { namespace: string; name: string }, on: boolean) {
  const body = { metadata: { finalizers: on ? [held] : [] } };
  await operator.client.patch(type, key, { type: 'merge', body });
}

async function describedKubeVirt(name: string): Promise<string> {
  await operator.create(name, { platform: { type: 'KubeVirt', kubevirt: {} } });
  const namespace = `clusters-${name}`;
  await eventually(async () => {
    const provider = await operator.client.get(appsv1.deployments, { namespace, name: 'capi-provider' });
    expect(provider.metadata.finalizers).toHaveLength(1);
    expect((await operator.client.list(capiv1beta1.clusters, { namespace })).items).toHaveLength(1);
  });
  return namespace;
}

describe('Deletion', () => {
  it('When something holds it up, one condition should name phase, object and holder, through restarts, in order', async () => {
    const namespace = await describedKubeVirt('demo');
    const infra = (await operator.get('demo')).spec.infraID ?? '';
    await hold(capiv1beta1.clusters, { namespace, name: infra }, true);
    await hold(hostedControlPlanes, { namespace, name: 'demo' }, true);
    await operator.client.delete(hostedClusters, { namespace: 'clusters', name: 'demo' });
    const deleting = async (reason: string, ...words: readonly string[]) =>
      eventually(async () => {
        const condition = await operator.condition('demo', 'HostedClusterDeleting');
        expect(condition).toMatchObject({ status: 'True', reason });
        for (const word of [...words, held]) expect(condition?.message).toContain(word);
      });
    await deleting('WaitingForCAPIClusterDeletion', `Cluster ${namespace}/${infra}`, 'deleting for less than a minute');
    const provider = await operator.client.get(appsv1.deployments, { namespace, name: 'capi-provider' });
    expect(provider.metadata.finalizers).toHaveLength(1);
    await operator.pause();
    await operator.resume();
    await hold(capiv1beta1.clusters, { namespace, name: infra }, false);
    await deleting('WaitingForHostedControlPlaneDeletion', `HostedControlPlane ${namespace}/demo`);
    const released = await operator.client.get(appsv1.deployments, { namespace, name: 'capi-provider' });
    expect(released.metadata.finalizers ?? []).toEqual([]);
    await hold(hostedControlPlanes, { namespace, name: 'demo' }, false);
    await operator.removed('demo');
  }, 30_000);

  it('When the operator dies after every single write, its successors should bring the deletion to its end', async () => {
    const name = 'mortal';
    await describedKubeVirt(name);
    const key = { namespace: 'clusters', name };
    await operator.client.create(nodePools, {
      metadata: key,
      spec: {
        clusterName: name,
        replicas: 0,
        management: { upgradeType: 'Replace' },
        release: { image: releaseImage },
        platform: { type: 'KubeVirt', kubevirt: { rootVolume: { type: 'Persistent', persistent: { size: '16Gi' } } } },
      },
    } as never);
    await operator.settled();
    await operator.client.delete(hostedClusters, key);
    let lives = 0;
    for (let isLeft = true; isLeft; lives++) {
      await operator.pause();
      const before = operator.failAfter(1);
      await operator.resume();
      isLeft = await until(async () => operator.written.length > before || !(await operator.exists(name)));
      isLeft &&= await operator.exists(name);
    }
    operator.failAfter(undefined);
    await operator.removed(name);
    expect(lives).toBeGreaterThan(5);
    const { items } = await operator.client.list(corev1.namespaces);
    expect(items.filter(({ metadata }) => metadata.name?.startsWith('clusters-'))).toEqual([]);
  }, 60_000);
});

/** Looks every few milliseconds until it holds. */
async function until(holds: () => Promise<boolean>): Promise<true> {
  while (!(await holds())) await new Promise((resolve) => setTimeout(resolve, 10));
  return true;
}
