import { healthyHostedClusterConditions } from '@hypershift-ts/hypershift-api';
import { corev1, findCondition, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { applyClusterObjects } from '../../packages/hypershift/cli/src/create-cluster/apply.ts';
import { controlPlaneNamespace, eventually, namespace, Product } from './harness.ts';

let product: Product;
const name = 'demo';

beforeAll(async () => {
  product = await Product.start();
  await product.create(name, { nodePoolReplicas: 2 });
}, 300_000);
afterAll(() => product?.stop());

const statusOf = (conditions: readonly { readonly type: string; readonly status: string }[] | undefined) =>
  Object.fromEntries((conditions ?? []).map(({ type, status }) => [type, status]));

/** What the control plane itself says when all is well; the cluster's conditions of the same names come from here. */
const healthyControlPlane = {
  ValidHostedControlPlaneConfiguration: 'True',
  EtcdAvailable: 'True',
  KubeAPIServerAvailable: 'True',
  Degraded: 'False',
  InfrastructureReady: 'True',
  ExternalDNSReachable: 'Unknown',
  Available: 'True',
  ReconciliationActive: 'True',
  ValidReleaseInfo: 'True',
  ValidIDPConfiguration: 'True',
  DataPlaneConnectionAvailable: 'True',
  ControlPlaneConnectionAvailable: 'True',
  ConfigOperatorReconciliationSucceeded: 'True',
  ClusterVersionFailing: 'False',
  ClusterVersionProgressing: 'False',
  ClusterVersionAvailable: 'True',
  ClusterVersionReleaseAccepted: 'True',
  ClusterVersionUpgradeable: 'True',
};

/** Waits for Available=False with a message, and answers it. */
const unavailable = (cluster: string, message: RegExp) =>
  eventually(async () => {
    const condition = await product.condition(cluster, 'Available');
    expect(condition).toMatchObject({ status: 'False', message: expect.stringMatching(message) as unknown });
    expect(condition?.message).not.toContain('\n');
    return condition;
  });

const available = (cluster: string) =>
  eventually(async () => {
    expect(await product.condition(cluster, 'Available')).toMatchObject({ status: 'True', reason: 'AsExpected' });
  });

async function setUnschedulable(unschedulable: boolean): Promise<void> {
  const { items } = await product.client.list(corev1.nodes);
  for (const { metadata } of items)
    await product.client.patch(
      corev1.nodes,
      { name: metadata.name ?? '' },
      { type: 'merge', body: { spec: { unschedulable } } },
    );
}

describe('conditions of a hosted cluster', { timeout: 120_000 }, () => {
  it('When it has nodes and nothing is wrong, every condition should have its healthy value', async () => {
    await eventually(async () => {
      const cluster = await product.cluster(name);
      const wanted = Object.fromEntries(healthyHostedClusterConditions(cluster));
      expect(statusOf(cluster.status?.conditions)).toMatchObject(wanted);
      const { status } = await product.controlPlane(name);
      expect(statusOf(status?.conditions)).toMatchObject(healthyControlPlane);
    });
    const { metadata, status } = await product.cluster(name);
    expect(new Set(status?.conditions?.map(({ observedGeneration }) => observedGeneration))).toEqual(
      new Set([metadata.generation]),
    );
    expect(findCondition(status?.conditions, 'ExternalDNSReachable')?.message).toBe('External DNS is not configured');
    expect(metadata.annotations?.['hypershift.openshift.io/HasBeenAvailable']).toBe('true');
  });

  it.each([
    [
      'etcd',
      'app=etcd',
      'EtcdAvailable',
      /^Waiting for etcd to reach quorum: etcd: pod etcd-0 cannot be scheduled: 0\/3/,
    ],
    [
      'the API server',
      'app=kube-apiserver',
      'KubeAPIServerAvailable',
      /^Waiting for Kube APIServer deployment .*: kube-apiserver: pod kube-apiserver-\S+ cannot be scheduled: 0\/3/,
    ],
  ])('When %s finds no node, Available should say so until there is one', async (_, selector, type, message) => {
    await setUnschedulable(true);
    for (const { metadata } of await product.pods(name, selector))
      await product.client.delete(corev1.pods, {
        namespace: controlPlaneNamespace(name),
        name: metadata.name ?? '',
      });
    await unavailable(name, message);
    expect(await product.condition(name, type)).toMatchObject({ status: 'False' });
    await setUnschedulable(false);
    await available(name);
  });

  it('When the pull secret of a running cluster goes, it should stay available and say what is held up', async () => {
    const key = { namespace, name: `${name}-pull-secret` };
    const { type, data } = await product.client.get(corev1.secrets, key);
    await product.client.delete(corev1.secrets, key);
    await eventually(async () => {
      expect(await product.condition(name, 'Progressing')).toMatchObject({
        status: 'False',
        reason: 'Blocked',
        message: expect.stringContaining(`pull secret ${namespace}/${name}-pull-secret does not exist`) as unknown,
      });
    });
    await available(name);
    await product.client.create(corev1.secrets, { metadata: key, type, data } as corev1.Secret);
    await eventually(async () => {
      expect(await product.condition(name, 'Progressing')).toMatchObject({ reason: 'AsExpected' });
    });
  });

  it('When a new cluster has faults, Available should name one after the other until all are mended', async () => {
    // Somebody else has the port that the API server is to be found at.
    const { spec: squatter } = await product.client.create(corev1.services, {
      metadata: { namespace, name: 'somebody' },
      spec: { type: 'NodePort', ports: [{ port: 80 }] },
    });
    const port = squatter?.ports?.[0]?.nodePort ?? 0;
    const { cluster, ...rest } = await product.plan('faulty', {}, 'none');
    const services = cluster.spec.services.map((one) =>
      one.service === 'APIServer'
        ? { ...one, servicePublishingStrategy: { type: 'NodePort' as const, nodePort: { address: '127.0.0.1', port } } }
        : one,
    );
    const isPullSecret = ({ metadata }: KubeObject) => metadata.name === 'faulty-pull-secret';
    const pullSecret = rest.before.find(isPullSecret) as corev1.Secret;
    const before = rest.before.filter((object) => !isPullSecret(object));
    const spec = { ...cluster.spec, services, release: { image: 'registry.hypershift-ts.io/release:4.99.0' } };
    await applyClusterObjects(product.client, { ...rest, before, cluster: { ...cluster, spec } });

    await unavailable('faulty', /^pull secret clusters\/faulty-pull-secret does not exist; create it/);
    await product.client.create(corev1.secrets, pullSecret);
    await unavailable('faulty', /release:4\.99\.0 is not one of the embedded releases/);
    await product.patch('faulty', { spec: { release: cluster.spec.release } });
    await unavailable('faulty', new RegExp(`^Service .*kube-apiserver.* ${port}: .*allocated`));
    await product.client.delete(corev1.services, { namespace, name: 'somebody' });
    await available('faulty');
    const { status } = await product.cluster('faulty');
    expect(status?.controlPlaneEndpoint).toEqual({ host: '127.0.0.1', port });
  });
});
