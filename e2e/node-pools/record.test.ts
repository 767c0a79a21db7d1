import { gunzipSync } from 'node:zlib';
import { type HostedCluster, hostedClusters, nodePools } from '@hypershift-ts/hypershift-api';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { createMemoryStore } from '@hypershift-ts/kube-store';
import { capiv1beta1 as capi } from '@hypershift-ts/machines-cluster-api';
import { describe, expect, it } from 'vitest';
import { eventually, namespace, Product } from './harness.ts';
import { record } from './recorded-objects.ts';

const build = process.env['RECORD'];

/** Run it once before a release, with the version in RECORD; earlier-build.test.ts replays what it leaves. */
describe.skipIf(!build)('A recording for later builds', () => {
  it('When every input of the rollout hash is in use, the objects should be kept', async () => {
    const store = createMemoryStore();
    // Published by names: ports of this machine would be in the hash, and no other machine has the same.
    const flags = { nodePoolReplicas: 1, externalDnsDomain: 'example.com' };
    const product = await Product.start({ store, platform: 'aws', flags });
    const { client } = product;
    const configMap = (name: string, data: { readonly [key: string]: string }) =>
      client.create(corev1.configmaps, { metadata: { namespace, name }, data });
    await configMap('motd', { config: motd });
    await configMap('kubelet', { config: kubelet });
    await configMap('trusted', { 'ca-bundle.crt': product.management.cluster.identity.authority.certificatePem });
    const [first] = (await client.list(nodePools, { namespace })).items;
    const { spec, metadata } = first!;
    const inPlace = { upgradeType: 'InPlace', inPlace: { maxUnavailable: 1 } };
    const { replace: _, ...management } = spec.management;
    await client.create(nodePools, {
      metadata: { namespace, name: 'stays' },
      spec: { ...spec, management: { ...management, ...inPlace } },
    } as never);
    const sources = [{ source: 'quay.io/example', mirrors: ['mirror.example.com/example'] }];
    await client.patch(
      hostedClusters,
      { namespace, name: product.name },
      {
        type: 'merge',
        body: {
          spec: {
            additionalTrustBundle: { name: 'trusted' },
            imageContentSources: sources,
            configuration: { image: { registrySources: { insecureRegistries: ['registry.example.com'] } } },
          } satisfies Partial<HostedCluster['spec']>,
        },
      },
    );
    const pool = metadata.name ?? '';
    const config = [{ name: 'motd' }, { name: 'kubelet' }];
    await product.patchPool({ config, nodeLabels: { team: 'blue' } }, pool);
    for (const name of [pool, 'stays'])
      await eventually(async () => {
        for (const type of ['UpdatingConfig', 'UpdatingVersion', 'UpdatingPlatformMachineTemplate'])
          expect((await product.poolCondition(type, name))?.status).toBe('False');
        expect((await product.poolCondition('AllNodesHealthy', name))?.status).toBe('True');
        expect(await product.machines(name)).toHaveLength(1);
        const { metadata } = await product.pool(name);
        const hash = metadata.annotations?.[hashKey] ?? '';
        // Everything asked for above is in it.
        const token = { namespace: product.controlPlane, name: `token-${name}-${hash}` };
        const encoded = (await client.get(corev1.secrets, token)).data?.['config'] ?? '';
        const zipped = Buffer.from(Buffer.from(encoded, 'base64').toString('latin1'), 'base64');
        const text = gunzipSync(zipped).toString('utf8');
        expect(text).toContain('mirror.example.com/example');
        if (name === pool) expect(text).toMatch(/motd[\s\S]*maxPods|maxPods[\s\S]*motd/);
        const sets = (await product.inControlPlane(capi.machinesets)).filter(({ metadata: { name: own = '' } }) =>
          own.startsWith(name),
        );
        expect(sets).toHaveLength(1);
      }, 180_000);
    await record(store, build ?? '');
    await product.stop();
  }, 400_000);
});

const hashKey = 'hypershift.openshift.io/nodePoolCurrentConfigVersion';

const document = (kind: string, name: string, spec: object): string =>
  JSON.stringify({ apiVersion: 'machineconfiguration.openshift.io/v1', kind, metadata: { name }, spec });

const motd = document('MachineConfig', 'motd', {
  config: {
    ignition: { version: '3.2.0' },
    storage: { files: [{ path: '/etc/motd', mode: 420, contents: { source: 'data:,welcome' } }] },
  },
});
const kubelet = document('KubeletConfig', 'pods', { kubeletConfig: { maxPods: 100 } });
