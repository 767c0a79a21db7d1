import { platforms } from '@hypershift-ts/hypershift-platforms';
import { apiextensionsv1, type KubeObject, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import { infrastructureProviders, providerCrds } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clusterOn } from '../../packages/hypershift/platforms/src/testing/clusters.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

let test: TestCluster;
beforeAll(async () => {
  test = await startTestCluster();
  for (const provider of infrastructureProviders)
    for (const crd of providerCrds(provider))
      await test.client.create(apiextensionsv1.customresourcedefinitions, crd as never);
}, 60_000);
afterAll(() => test?.stop());

const typeOf = ({ apiVersion, kind }: KubeObject) => {
  const lower = kind.toLowerCase();
  const resource = lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
  return { ...parseApiVersion(apiVersion), kind, resource, namespaced: true };
};

describe('Infrastructure objects', () => {
  it.each(platforms.map((platform) => [platform.type, platform] as const))(
    'When the CRDs of providers are installed, what %s wants should be accepted field by field',
    async (type, platform) => {
      const wanted = platform.infrastructure({
        cluster: clusterOn(type, { status: { ignitionEndpoint: 'ignition.example.com' } }),
        namespace: 'default',
        endpoint: { host: 'api.example.com', port: 443 },
        nodePools: [],
      });
      for (const object of wanted ? [...wanted.before, wanted.cluster] : []) {
        const created = await vi.waitFor(
          () => test.client.create<KubeObject>(typeOf(object), object, { fieldValidation: 'Strict' }),
          { timeout: 10_000 },
        );
        expect(created).toMatchObject({ spec: object.spec });
      }
    },
    15_000,
  );
});
