import { type HostedControlPlane, hostedControlPlanes } from '@hypershift-ts/hypershift-api';
import { embeddedReleaseImage } from '@hypershift-ts/hypershift-release';
import { appsv1, corev1, findCondition } from '@hypershift-ts/kube-apimachinery';
import { parseCertificate } from '@hypershift-ts/kube-pki';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  createControlPlane,
  describeNamespace,
  eventually,
  hostedAdmin,
  isAvailable,
  type Management,
  type RunningOperator,
  startManagement,
  startOperator,
  untilControlPlane,
} from './harness.ts';

const namespace = 'clusters-ha';
let management: Management;
let operator: RunningOperator;

beforeAll(async () => {
  management = await startManagement({ zones: 3 });
  await createControlPlane(management.client, namespace, { availability: 'HighlyAvailable' });
  operator = startOperator(management, namespace);
  await untilControlPlane(management.client, namespace, isAvailable);
}, 120_000);
afterAll(async () => {
  await operator?.stop();
  await management?.stop();
});

/** Asks the hosted API server all the time; answers what failed. */
async function underRequests(work: () => Promise<void>): Promise<{ answered: number; failures: string[] }> {
  const hosted = await hostedAdmin(management.client, namespace);
  const failures: string[] = [];
  let answered = 0;
  let running = true;
  const asking = (async () => {
    while (running) {
      await hosted.list(corev1.namespaces).then(
        () => answered++,
        (error: unknown) => failures.push(String(error)),
      );
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  try {
    await work();
  } finally {
    running = false;
    await asking;
    await hosted.close();
  }
  return { answered, failures };
}

const isAt = (version: string) => (hcp: HostedControlPlane) => {
  const [newest] = hcp.status?.controlPlaneVersion?.history ?? [];
  return newest?.version === version && newest.state === 'Completed';
};

describe('a highly available control plane', { timeout: 180_000 }, () => {
  it('When it is available, it should have three of what serves requests, on three zones', async () => {
    const { spec } = await management.client.get(appsv1.deployments, { namespace, name: 'kube-apiserver' });
    expect(spec?.replicas).toBe(3);
    const { items } = await management.client.list(corev1.pods, { namespace, labelSelector: 'app=kube-apiserver' });
    expect(new Set(items.map((pod) => pod.spec?.nodeName)).size).toBe(3);
    expect((await management.client.get(appsv1.statefulsets, { namespace, name: 'etcd' })).spec?.replicas).toBe(3);
  });

  it('When it is upgraded, it should answer every request meanwhile', async () => {
    await untilControlPlane(management.client, namespace, isAt('4.20.8'));
    const { answered, failures } = await underRequests(async () => {
      const body = { spec: { releaseImage: embeddedReleaseImage('4.21.6') } };
      await management.client.patch(hostedControlPlanes, { namespace, name: 'demo' }, { type: 'merge', body });
      await untilControlPlane(management.client, namespace, isAt('4.21.6'), 120_000);
    });
    expect(failures).toEqual([]);
    expect(answered).toBeGreaterThan(10);
  });

  it('When every certificate is renewed, it should answer every request meanwhile', async () => {
    const secret = { namespace, name: 'kas-server-crt' };
    const before = await management.client.get(corev1.secrets, secret);
    const { failures } = await underRequests(async () => {
      await operator.stop();
      operator = startOperator(management, namespace, { settings: { certificateValidity: '4000h' } });
      await eventually(async () => {
        const { data } = await management.client.get(corev1.secrets, secret);
        return data?.['tls.crt'] !== before.data?.['tls.crt'];
      }, 'a new certificate');
      await eventually(async () => {
        const { metadata, status } = await management.client.get(appsv1.deployments, {
          namespace,
          name: 'kube-apiserver',
        });
        return (
          status?.observedGeneration === metadata.generation &&
          status?.updatedReplicas === 3 &&
          status.readyReplicas === 3
        );
      }, 'the servers with it').catch(async (error: unknown) => {
        throw new Error(`${String(error)}\n${await describeNamespace(management.client, namespace)}`);
      });
    });
    expect(failures).toEqual([]);
    const renewed = await management.client.get(corev1.secrets, secret);
    const { notAfter, notBefore } = parseCertificate(Buffer.from(renewed.data?.['tls.crt'] ?? '', 'base64').toString());
    expect(Math.round((notAfter - notBefore) / 3_600_000)).toBe(4000);
    const hcp = await untilControlPlane(management.client, namespace, isAvailable);
    expect(findCondition(hcp.status?.conditions, 'EtcdAvailable')?.status).toBe('True');
  });
});
