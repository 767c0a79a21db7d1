import {
  awsEndpointServices,
  gcpPrivateServiceConnects,
  hostedClusters,
  nodePools,
} from '@hypershift-ts/hypershift-api';
import { appsv1, corev1, type KubeObject, rbacv1, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findKubectls, Kubectl } from '../harness/kubectl.ts';
import { namespace, Product, type Wanted } from './product.ts';

const kubectlPath = findKubectls().at(-1)?.path;
const eventually = <T>(check: () => Promise<T>): Promise<T> => vi.waitFor(check, { timeout: 60_000, interval: 200 });

const byRoute = { externalDnsDomain: 'example.com' };
const wanted: readonly Wanted[] = [
  { name: 'one', platform: 'aws', nodes: 1, flags: byRoute },
  { name: 'two', platform: 'aws', nodes: 1, flags: byRoute },
  { name: 'azure', platform: 'azure', nodes: 1 },
  { name: 'gcp', platform: 'gcp', nodes: 1 },
  { name: 'agent', platform: 'agent', nodes: 1 },
  { name: 'openstack', platform: 'openstack', nodes: 1 },
  { name: 'powervs', platform: 'powervs', nodes: 1 },
  { name: 'ibmcloud', platform: 'ibmcloud', nodes: 0 },
];

describe('hosted clusters of many platforms on one management cluster', () => {
  let product: Product;
  let accessBefore: readonly string[];

  const names = async (type: ResourceType<KubeObject>): Promise<readonly string[]> =>
    (await product.client.list(type)).items.map(({ metadata }) => metadata.name ?? '').sort();
  const clusterAccess = async () => [
    ...(await names(rbacv1.clusterroles)),
    ...(await names(rbacv1.clusterrolebindings)),
  ];

  beforeAll(async () => {
    product = await Product.start();
    accessBefore = await clusterAccess();
    await Promise.all(wanted.map((one) => product.create(one)));
  }, 300_000);

  afterAll(() => product?.stop(), 60_000);

  it.each(wanted.filter(({ nodes }) => nodes > 0).map(({ name }) => name))(
    'When %s has its nodes, every condition should be that of a healthy cluster',
    (name) => eventually(async () => expect(await product.unhealthy(name)).toEqual([])),
    70_000,
  );

  it('When the cloud of a cluster is simulated, its conditions should say so and its ids be told', async () => {
    const { status } = await product.cluster('one');
    expect(status?.platform?.aws?.defaultWorkerSecurityGroupID).toMatch(/^sg-[0-9a-f]{17}$/);
    const created = status?.conditions?.find(({ type }) => type === 'AWSDefaultSecurityGroupCreated');
    expect(created?.message).toContain('simulated');
  });

  it.skipIf(!kubectlPath)(
    'When API servers share the router, kubectl should reach each by the name in its kubeconfig',
    async () => {
      const seen = await Promise.all(
        ['one', 'two'].map(async (name) => {
          const kubeconfig = await product.kubeconfig(name);
          expect(kubeconfig).toContain(`server: https://127.0.0.1:${product.management.router.port}`);
          expect(kubeconfig).toContain(`tls-server-name: api-${name}.example.com`);
          const kubectl = new Kubectl(kubectlPath!, kubeconfig);
          const nodes = await kubectl.ok('get nodes --no-headers');
          kubectl.dispose();
          expect(nodes).toContain(' Ready ');
          return nodes.split(' ')[0];
        }),
      );
      expect(new Set(seen).size).toBe(2);
    },
    60_000,
  );

  it('When a cluster publishes by Route, its own router should run as a program and not as a simulation', async () => {
    const pods = await product.client.list(corev1.pods, {
      namespace: `${namespace}-one`,
      labelSelector: 'app=private-router',
    });
    expect(pods.items.length).toBeGreaterThan(0);
    for (const { metadata, status } of pods.items) {
      expect(metadata.annotations?.['hypershift-ts.io/runtime']).toBeUndefined();
      expect(status?.phase).toBe('Running');
    }
    const router = await product.client.get(appsv1.deployments, { namespace: `${namespace}-one`, name: 'router' });
    expect(router.status?.availableReplicas).toBe(router.spec?.replicas);
  });

  it('When all clusters are destroyed, nothing of them should be left', async () => {
    await Promise.all(wanted.map(({ name }) => product.destroy(name)));
    const { client } = product;
    for (const type of [hostedClusters, nodePools, awsEndpointServices, gcpPrivateServiceConnects] as const)
      expect((await client.list<never>(type as never)).items).toEqual([]);
    expect((await names(corev1.namespaces)).filter((name) => name.includes(`${namespace}-`))).toEqual([]);
    expect(await clusterAccess()).toEqual(accessBefore);
    expect(product.management.cloud.list()).toEqual([]);
  }, 300_000);
});
