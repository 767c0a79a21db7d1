import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type ProxyAgent,
  type ProxyServer,
  startProxyAgent,
  startProxyServer,
} from '@hypershift-ts/hypershift-konnectivity';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import { clusterEgress } from '@hypershift-ts/kube-apiserver';
import { execInPod, type HttpClient } from '@hypershift-ts/kube-client';
import { createAuthority, issue } from '@hypershift-ts/kube-pki';
import { SimulatedCloud } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedClusterUnderTest, startHostedCluster } from './harness.ts';

/** Logs and exec of worker nodes, through the tunnel that a hosted API server has to its nodes. */
describe('an API server behind konnectivity', () => {
  let directory: string;
  let proxy: ProxyServer;
  let agent: ProxyAgent;
  let hosted: HostedClusterUnderTest;
  let cloud: SimulatedCloud;
  const log = () =>
    hosted.client.raw('GET', '/api/v1/namespaces/default/pods/app/log').then(({ body }) => body, String);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'egress-'));
    const now = Date.now();
    const authority = await createAuthority({ subject: { commonName: 'konnectivity-signer' }, now });
    const ca = authority.certificatePem;
    const server = await issue(authority, {
      role: 'server',
      subject: { commonName: 'konnectivity-server-local' },
      dnsNames: ['konnectivity-server-local'],
      now,
    });
    const client = await issue(authority, { role: 'client', subject: { commonName: 'konnectivity-client' }, now });
    const tls = { ca, cert: server.certificatePem, key: server.keyPem };
    proxy = await startProxyServer({
      front: { host: '127.0.0.1', port: 0, tls },
      agents: { host: '127.0.0.1', port: 0, tls },
    });
    agent = await startProxyAgent({
      server: {
        host: '127.0.0.1',
        port: proxy.ports.agents,
        tls: { ca, cert: client.certificatePem, key: client.keyPem, serverName: 'konnectivity-server-local' },
      },
      syncIntervalMs: 20,
      syncIntervalCapMs: 100,
    });
    for (const [file, pem] of [
      ['ca.crt', ca],
      ['tls.crt', client.certificatePem],
      ['tls.key', client.keyPem],
    ] as const)
      await writeFile(join(directory, file), pem, { mode: 0o600 });
    // As the control plane writes it, with the paths and names of its containers.
    const config = {
      apiVersion: 'apiserver.k8s.io/v1beta1',
      kind: 'EgressSelectorConfiguration',
      egressSelections: [
        { name: 'controlplane', connection: { proxyProtocol: 'Direct' } },
        {
          name: 'cluster',
          connection: {
            proxyProtocol: 'HTTPConnect',
            transport: {
              tcp: {
                url: `https://konnectivity-server-local:${proxy.ports.front}`,
                tlsConfig: { caBundle: '/certs/ca.crt', clientCert: '/certs/tls.crt', clientKey: '/certs/tls.key' },
              },
            },
          },
        },
      ],
    };
    const egress = clusterEgress(JSON.stringify(config), {
      path: (file) => join(directory, file.replace('/certs/', '')),
      resolve: (host) => (host === 'konnectivity-server-local' ? '127.0.0.1' : host),
    });
    hosted = await startHostedCluster(egress ? { egress } : {});
    cloud = new SimulatedCloud({
      dataDir: join(hosted.directory, 'cloud'),
      runtimes: () => ({ process: [{ images: ['host'], anyOnPath: true }] }),
    });
    await cloud.launch({
      id: 'worker',
      name: 'worker',
      instanceType: 'large',
      shape: { cpu: 2, memoryMiB: 4096 },
      userData: hosted.userData,
      nodeName: () => 'worker',
      providerID: 'simulated://worker',
    });
    await hosted.client.create(corev1.pods, {
      metadata: { name: 'app', namespace: 'default' },
      spec: {
        nodeName: 'worker',
        automountServiceAccountToken: false,
        terminationGracePeriodSeconds: 0,
        containers: [{ name: 'main', image: 'host', command: ['sh', '-c', 'echo hello from a worker; sleep 1000'] }],
      },
    });
  });
  afterAll(async () => {
    await cloud?.close();
    await hosted?.stop();
    await agent?.close();
    await proxy?.close();
    await rm(directory, { recursive: true, force: true });
  });

  it('When a pod runs on a worker, its log and a command in it should come through the tunnel', async () => {
    await expect.poll(log, { timeout: 10_000 }).toContain('hello from a worker');
    const chunks: Buffer[] = [];
    const onStdout = (data: Buffer) => chunks.push(data);
    const key = { namespace: 'default', name: 'app' };
    await execInPod(hosted.client as HttpClient, key, { command: ['echo', 'through', 'the', 'tunnel'], onStdout });
    expect(Buffer.concat(chunks).toString()).toBe('through the tunnel\n');
  });

  it('When no agent is connected, it should say that the kubelet cannot be reached, and why', async () => {
    await agent.close();
    await expect
      .poll(log, { timeout: 10_000 })
      .toMatch(/the kubelet at 127\.\d+\.\d+\.\d+:\d+ cannot be reached: the egress proxy/);
  });
});
