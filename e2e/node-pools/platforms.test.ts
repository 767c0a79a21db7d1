import { nodePools } from '@hypershift-ts/hypershift-api';
import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventually, isNodeReady, namespace, nodesOfPool, Product } from './harness.ts';

/** The command line makes a pool for each zone. */
const pool = 'aws-us-east-1a';

describe('node pools on simulated clouds', () => {
  let product: Product;
  beforeAll(async () => {
    product = await Product.start({
      name: 'aws',
      platform: 'aws',
      // Some platforms are offered only to those who try what comes next.
      install: { featureSet: 'TechPreviewNoUpgrade' },
      flags: { nodePoolReplicas: 1 },
    });
  }, 180_000);
  afterAll(() => product?.stop(), 60_000);

  it.each([
    ['aws', /^aws:\/\/\/us-east-1[a-f]\/i-[0-9a-f]{17}$/],
    [
      'azure',
      /^azure:\/\/\/subscriptions\/[^/]+\/resourceGroups\/[^/]+\/providers\/Microsoft.Compute\/virtualMachines\//,
    ],
    ['gcp', /^gce:\/\/[^/]+\/[^/]+\/[^/]+$/],
    ['openstack', /^openstack:\/\/\/[0-9a-f-]{36}$/],
    ['powervs', /^ibmpowervs:\/\/[^/]+\/[^/]+\/[^/]+\/[0-9a-f-]{36}$/],
    ['agent', /^agent:\/\/[0-9a-f-]{36}$/],
  ])(
    'When a cluster is made on %s, its machines should become nodes',
    async (platform, providerID) => {
      if (platform !== product.name) await product.create(platform, { nodePoolReplicas: 1 }, platform);
      // By then every node is ready; some of these API servers are private, so the machines tell.
      const { items } = await product.client.list(capi.machines, { namespace: `${namespace}-${platform}` });
      expect(items).toHaveLength(1);
      expect(items[0]).toMatchObject({ status: { phase: 'Running', nodeRef: { kind: 'Node' } } });
      expect(items[0]?.spec.providerID).toMatch(providerID);
    },
    120_000,
  );

  it('When a pool on AWS begins with nothing, pods that wait should bring its first node', async () => {
    const { spec } = await product.pool(pool);
    const { replicas: _replicas, ...rest } = spec;
    const nodeLabels = { purpose: 'batch' };
    await product.client.create(nodePools, {
      metadata: { namespace, name: 'batch' },
      spec: { ...rest, nodeLabels, autoScaling: { min: 0, max: 2 } },
    } as never);
    await eventually(async () =>
      expect(await product.poolCondition('AutoscalingEnabled', 'batch')).toMatchObject({ status: 'True' }),
    );
    const hosted = await product.hosted();
    await hosted.create(appsv1.deployments, {
      metadata: { name: 'batch', namespace: 'default' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'batch' } },
        template: {
          metadata: { labels: { app: 'batch' } },
          spec: { nodeSelector: nodeLabels, containers: [{ name: 'main', image: 'pause' }] },
        },
      },
    });
    await eventually(async () => {
      const { items } = await hosted.list(corev1.nodes, { labelSelector: nodesOfPool('batch') });
      expect(items.filter(isNodeReady)).toHaveLength(1);
      const { status } = await hosted.get(appsv1.deployments, { namespace: 'default', name: 'batch' });
      expect(status?.readyReplicas).toBe(2);
    });
    await hosted.close();
  }, 90_000);

  it('When an instance type does not exist, the pool should say so and nodes that run should stay', async () => {
    const before = (await product.machines(pool)).map(({ metadata }) => metadata.uid);
    const { spec } = await product.pool(pool);
    const aws = { ...spec.platform.aws, instanceType: 'm5.gigantic' };
    const changed = { ...spec, replicas: 1, platform: { ...spec.platform, aws } };
    await product.client.create(nodePools, { metadata: { namespace, name: 'wrong' }, spec: changed } as never);
    await eventually(async () => {
      const said = await product.poolCondition('AllMachinesReady', 'wrong');
      expect(said).toMatchObject({ status: 'False' });
      expect(said?.message).toContain('m5.gigantic');
      expect(said?.message).toContain('correct the platform settings of its NodePool');
    });
    expect((await product.machines(pool)).map(({ metadata }) => metadata.uid)).toEqual(before);
  }, 60_000);
});
