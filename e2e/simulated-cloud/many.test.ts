import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { corev1, systemClock } from '@hypershift-ts/kube-apimachinery';
import { fingerprint, parseCertificates } from '@hypershift-ts/kube-pki';
import { ProcessDirectory } from '@hypershift-ts/kube-programs';
import { processConnections, SimulatedCloud } from '@hypershift-ts/machines-providers';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type HostedClusterUnderTest, startHostedCluster } from './harness.ts';

const count = 20;

/** Machines whose API server lives in this process: one set of informers for all, each with its own identity. */
describe('many machines of one cluster', () => {
  let hosted: HostedClusterUnderTest;
  let cloud: SimulatedCloud;
  const launch = (index: number) =>
    cloud.launch({
      id: `worker-${index}`,
      name: `worker-${index}`,
      instanceType: 'm6i.xlarge',
      shape: { cpu: 4, memoryMiB: 16_384 },
      userData: hosted.userData,
      nodeName: () => `worker-${index}`,
      providerID: `aws:///us-east-1a/worker-${index}`,
    });

  beforeAll(async () => {
    hosted = await startHostedCluster();
    const directory = new ProcessDirectory();
    const { serving, authority } = hosted.cluster.identity;
    directory.addApiServer({
      server: hosted.cluster.apiServer,
      fingerprints: parseCertificates(serving.certificatePem).map(({ der }) => fingerprint(der)),
      clientCa: authority.certificatePem,
      closed: new AbortController().signal,
    });
    cloud = new SimulatedCloud({
      dataDir: join(hosted.directory, 'cloud'),
      connections: processConnections({ directory, clock: systemClock }),
    });
  });
  afterAll(async () => {
    await cloud?.close();
    await hosted?.stop();
  });

  it('When they boot together, each should become a ready node under its own name', async () => {
    for (let index = 0; index < count; index++) await launch(index);
    const ready = async () => {
      const { items } = await hosted.client.list(corev1.nodes);
      return items.filter(({ status }) =>
        status?.conditions?.some(({ type, status: value }) => type === 'Ready' && value === 'True'),
      ).length;
    };
    await expect.poll(ready, { timeout: 20_000 }).toBe(count);
    const leases = await hosted.client.raw('GET', '/apis/coordination.k8s.io/v1/namespaces/kube-node-lease/leases');
    expect((JSON.parse(leases.body) as { items: unknown[] }).items).toHaveLength(count);
  });

  it('When pods are scheduled, each node should run its own and answer for it', async () => {
    for (let index = 0; index < count; index++)
      await hosted.client.create(corev1.pods, {
        metadata: { name: `app-${index}`, namespace: 'default' },
        spec: {
          ...(index % 2 === 0 ? { nodeName: `worker-${index}` } : {}),
          terminationGracePeriodSeconds: 0,
          containers: [{ name: 'main', image: 'quay.io/example/app:v1' }],
        },
      });
    const running = async () => {
      const { items } = await hosted.client.list(corev1.pods, { namespace: 'default' });
      return items.filter(({ status }) => status?.phase === 'Running').length;
    };
    await expect.poll(running, { timeout: 10_000 }).toBe(count);
    await expect
      .poll(
        () => hosted.client.raw('GET', '/api/v1/namespaces/default/pods/app-6/log').then(({ body }) => body, String),
        { timeout: 10_000 },
      )
      .toContain('simulated');
    await hosted.client.deleteCollection(corev1.pods, { namespace: 'default' });
    await expect
      .poll(async () => (await hosted.client.list(corev1.pods, { namespace: 'default' })).items.length, {
        timeout: 10_000,
      })
      .toBe(0);
  });

  it('When the last of them is gone, nothing of them should be left on the disk', async () => {
    const left = (part: string) => readdir(join(hosted.directory, 'cloud', part));
    expect(await left('layers')).toHaveLength(1);
    for (const { id } of cloud.list()) {
      await cloud.terminate(id);
      await expect.poll(() => cloud.get(id)?.state).toBe('terminated');
      await cloud.forget(id);
    }
    await expect.poll(() => left('layers')).toEqual([]);
    expect(await left('instances')).toEqual([]);
  });
});
