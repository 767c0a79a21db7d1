import { type Platform, platforms } from '@hypershift-ts/hypershift-platforms';
import { EmbeddedCatalogue, embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { apiextensionsv1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { infrastructureProviders, providerCrds } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { clusterOn } from '../../packages/hypershift/platforms/src/testing/clusters.ts';
import { poolOn } from '../../packages/hypershift/platforms/src/testing/node-pools.ts';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';

let test: TestCluster;
beforeAll(async () => {
  test = await startTestCluster();
  for (const provider of infrastructureProviders)
    for (const crd of providerCrds(provider))
      await test.client.create(apiextensionsv1.customresourcedefinitions, crd as never);
}, 60_000);
afterAll(() => test?.stop());

const release = new EmbeddedCatalogue().lookup(embeddedReleaseImage('4.20.3'));

/** Everything the platform wants for a pool: the template, and what stands beside it. */
async function wantedBy(
  platform: Platform,
): Promise<readonly { type: ResourceType<KubeObject>; object: KubeObject }[]> {
  const { machines, type } = platform;
  if (!machines || type === 'IBMCloud') return [];
  const status = { platform: { aws: { defaultWorkerSecurityGroupID: 'sg-1' } } };
  const scope = {
    cluster: clusterOn(type, { status }),
    pool: poolOn(type),
    namespace: 'default',
    release: await release,
    stream: 'rhel-9',
    createsSecurityGroup: type === 'AWS',
  };
  const { templates } = machines;
  const object = {
    apiVersion: `${templates.group}/${templates.version}`,
    kind: templates.kind,
    metadata: { name: 'workers-1', namespace: 'default' },
    spec: machines.template(scope).spec,
  };
  return [{ type: templates, object }, ...(machines.objects?.(scope) ?? [])];
}

describe('Machine templates', () => {
  it.each(platforms.map((platform) => [platform.type, platform] as const))(
    'When the CRDs of providers are installed, what %s wants for a pool should be accepted and kept field by field',
    async (_, platform) => {
      for (const { type, object } of await wantedBy(platform)) {
        const created = await vi.waitFor(() => test.client.create(type, object, { fieldValidation: 'Strict' }), {
          timeout: 10_000,
        });
        expect(created).toMatchObject({ spec: (object as { spec?: object }).spec });
      }
    },
    15_000,
  );
});
