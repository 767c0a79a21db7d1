import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { admissionregistrationv1, apiextensionsv1 } from '@hypershift-ts/kube-apimachinery';
import { hostedClusters, managementCrds, nodePools, webhookConfigurations } from '@hypershift-ts/hypershift-api';
import { issue } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpsClient, startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { freePort, HypershiftProcess, isBuilt } from '../harness/process.ts';

const spec = {
  platform: { type: 'None' },
  pullSecret: { name: 'pull-secret' },
  release: { image: 'registry.hypershift-ts.io/release:4.20.3' },
  networking: { clusterNetwork: [{ cidr: '10.132.0.0/14' }], serviceNetwork: [{ cidr: '10.133.0.0/16' }] },
  services: ['APIServer', 'OAuthServer', 'Konnectivity', 'Ignition'].map((service) => ({
    service,
    servicePublishingStrategy: { type: 'NodePort', nodePort: { address: '127.0.0.1' } },
  })),
};

describe.skipIf(!isBuilt())('hypershift webhook', () => {
  let test: TestCluster;
  let directory: string;
  let webhook: HypershiftProcess;

  beforeAll(async () => {
    test = await startTestCluster();
    directory = await mkdtemp(join(tmpdir(), 'webhook-'));
    const { cluster, client } = test;
    const port = await freePort();
    const serving = await issue(cluster.identity.authority, {
      subject: { commonName: 'webhook' },
      role: 'server',
      ipAddresses: ['127.0.0.1'],
      now: Date.now(),
    });
    const file = async (name: string, content: string): Promise<string> => {
      await writeFile(join(directory, name), content, { mode: 0o600 });
      return join(directory, name);
    };
    for (const crd of managementCrds('Default'))
      await client.create(apiextensionsv1.customresourcedefinitions, crd as never);
    const flags = {
      kubeconfig: await file('kubeconfig', cluster.adminKubeconfig()),
      'cert-file': await file('tls.crt', serving.certificatePem),
      'key-file': await file('tls.key', serving.keyPem),
      'bind-address': '127.0.0.1',
      port: String(port),
    };
    webhook = new HypershiftProcess(['webhook', ...Object.entries(flags).map(([name, value]) => `--${name}=${value}`)]);
    await webhook.printed('webhooks are served');
    const caBundle = Buffer.from(cluster.identity.authority.certificatePem).toString('base64');
    const configurations = webhookConfigurations({ namespace: 'hypershift', name: 'operator', port: 443, caBundle });
    // Outside the cluster the webhooks are reached by URL instead of through a Service.
    const byUrl = <
      T extends {
        readonly webhooks: readonly { readonly clientConfig: { readonly service: { readonly path: string } } }[];
      },
    >(
      one: T,
    ) => ({
      ...one,
      webhooks: one.webhooks.map((entry) => ({
        ...entry,
        clientConfig: { url: `https://127.0.0.1:${port}${entry.clientConfig.service.path}`, caBundle },
      })),
    });
    await client.create(admissionregistrationv1.mutatingwebhookconfigurations, byUrl(configurations.mutating) as never);
    await client.create(
      admissionregistrationv1.validatingwebhookconfigurations,
      byUrl(configurations.validating) as never,
    );
  });
  afterAll(async () => {
    await webhook?.kill('SIGTERM');
    await rm(directory, { recursive: true, force: true });
    await test.stop();
  });

  it('When networks overlap, it should accept the HostedCluster as upstream does and warn with the fields', async () => {
    const client = httpsClient(test.cluster);
    const warnings: string[] = [];
    client.onWarning = (text) => warnings.push(text);
    await client.create(hostedClusters, { metadata: { name: 'overlap', namespace: 'default' }, spec } as never);
    expect(warnings.join('\n')).toMatch(/overlap/);
    expect(warnings.join('\n')).toMatch(/spec\.networking/);
    await client.close();
  });

  it('When a NodePool names no release, it should take the one of its cluster', async () => {
    const pool = await test.client.create(nodePools, {
      metadata: { name: 'workers', namespace: 'default' },
      spec: {
        clusterName: 'overlap',
        replicas: 1,
        platform: { type: 'None' },
        management: { upgradeType: 'Replace' },
        release: { image: '' },
      },
    } as never);
    expect(pool.spec.release.image).toBe(spec.release.image);
  });
});
