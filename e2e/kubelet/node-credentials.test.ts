import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { startKubelet } from '@hypershift-ts/kube-kubelet';
import { issue, kubeconfigFor } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpsClient, startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { hostImage, isReady } from './harness.ts';

/** Kubelets as worker nodes of a hosted cluster have them: over HTTPS, with a node's own certificate and rights. */
describe('kubelets with node credentials', () => {
  let test: TestCluster;
  let directory: string;
  const endings: (() => Promise<unknown>)[] = [];

  beforeAll(async () => {
    test = await startTestCluster();
    directory = await mkdtemp(join(tmpdir(), 'nodes-'));
    await test.client
      .create(corev1.serviceaccounts, { metadata: { name: 'default', namespace: 'default' } })
      .catch(() => {});
    for (const nodeName of ['worker-1', 'worker-2', 'worker-3']) {
      const credentials = await issue(test.cluster.identity.authority, {
        role: 'client',
        subject: { commonName: `system:node:${nodeName}`, organizations: ['system:nodes'] },
        now: Date.now(),
      });
      const kubeconfig = kubeconfigFor({
        server: test.cluster.server,
        certificateAuthority: test.cluster.identity.authority.certificatePem,
        credentials,
      });
      const client: HttpClient = httpsClient(test.cluster, JSON.stringify(kubeconfig));
      const kubelet = await startKubelet({
        client,
        nodeName,
        dataDir: join(directory, nodeName),
        runtimes: { process: [hostImage] },
        labels: { 'topology.kubernetes.io/zone': 'a' },
        capacity: { cpu: '8', memory: '32Gi', pods: '250' },
      });
      endings.push(
        () => client.close(),
        () => kubelet.stop(),
      );
    }
  });
  afterAll(async () => {
    for (const end of endings.reverse()) await end();
    await test?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  it('When several start in one process, each should be a ready node of its own', async () => {
    const { items } = await test.client.list(corev1.nodes);
    expect(items.map(({ metadata }) => metadata.name)).toEqual(['worker-1', 'worker-2', 'worker-3']);
    expect(
      items.every(({ status }) =>
        status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
      ),
    ).toBe(true);
    expect(items[0]?.status?.capacity?.['memory']).toBe('32Gi');
  });

  it('When a pod needs a Secret, a node should read that one only and run the pod, simulated or real', async () => {
    await test.client.create(corev1.secrets, {
      metadata: { name: 's', namespace: 'default' },
      stringData: { k: 'v1' },
    });
    const volumes = [{ name: 's', secret: { secretName: 's' } }];
    const volumeMounts = [{ name: 's', mountPath: '/s' }];
    const script = 'while ! grep -q v2 /s/k; do sleep 0.02; done';
    const pod = (name: string, nodeName: string, container: Omit<corev1.Container, 'name'>, restartPolicy: string) => ({
      metadata: { name, namespace: 'default' },
      spec: {
        nodeName,
        automountServiceAccountToken: false,
        restartPolicy,
        volumes,
        containers: [{ name: 'main', volumeMounts, ...container }],
      },
    });
    await test.client.create(corev1.pods, pod('sim', 'worker-1', { image: 'example.org/x' }, 'Always'));
    await test.client.create(
      corev1.pods,
      pod('real', 'worker-2', { image: 'host', command: ['sh', '-c', script] }, 'Never'),
    );
    const get = (name: string) => test.client.get(corev1.pods, { namespace: 'default', name });
    await expect.poll(async () => isReady(await get('sim'))).toBe(true);
    expect((await get('sim')).metadata.annotations?.['hypershift-ts.io/runtime']).toBe('simulated');
    await expect.poll(async () => (await get('real')).status?.phase).toBe('Running');
    await test.client.patch(
      corev1.secrets,
      { namespace: 'default', name: 's' },
      { type: 'merge', body: { stringData: { k: 'v2' } } },
    );
    await expect.poll(async () => (await get('real')).status?.phase, { timeout: 5000 }).toBe('Succeeded');
    await test.client.delete(corev1.pods, { namespace: 'default', name: 'sim' });
    await expect
      .poll(
        () =>
          get('sim').then(
            () => 'there',
            () => 'gone',
          ),
        { timeout: 5000 },
      )
      .toBe('gone');
  });
});
