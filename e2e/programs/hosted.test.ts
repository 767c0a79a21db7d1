import { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import type { HttpClient } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  describePods,
  eventually,
  hostedClient,
  hostedKubeconfig,
  type Management,
  startManagement,
} from './harness.ts';
import { applyHosted, type HostedPki, hostedPki } from './manifests.ts';

const namespace = 'clusters-one';

describe('A hosted control plane from plain manifests', () => {
  let management: Management;
  let pki: HostedPki;
  let hosted: HttpClient;

  beforeAll(async () => {
    management = await startManagement();
    pki = await hostedPki(namespace);
    const { client } = management;
    const began = Date.now();
    await applyHosted(client, { namespace, pki });
    hosted = hostedClient(await hostedKubeconfig(client, namespace, pki.kubeconfigs.admin));
    try {
      await eventually(() => hosted.raw('GET', '/readyz'), 'hosted /readyz');
    } catch (error) {
      throw new Error(`${(error as Error).message}\n${await describePods(client, namespace)}`, { cause: error });
    }
    process.stderr.write(`apply to hosted /readyz: ${Date.now() - began} ms\n`);
  });

  afterAll(async () => {
    await hosted?.close();
    await management?.stop();
  });

  it('When a deployment is made there, its pods should wait for nodes', async () => {
    await hosted.create(corev1.namespaces, { metadata: { name: 'shop' } });
    await eventually(
      () => hosted.get(corev1.serviceaccounts, { namespace: 'shop', name: 'default' }),
      'service account',
    );
    const root = await eventually(
      () => hosted.get(corev1.configmaps, { namespace: 'shop', name: 'kube-root-ca.crt' }),
      'root CA',
    );
    expect(root.data?.['ca.crt']).toBe(pki.rootCa.certificatePem);
    await hosted.create(appsv1.deployments, {
      metadata: { name: 'web', namespace: 'shop' },
      spec: {
        replicas: 2,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'web' } }, spec: { containers: [{ name: 'web', image: 'web' }] } },
      },
    });
    const pods = await eventually(async () => {
      const { items } = await hosted.list(corev1.pods, { namespace: 'shop' });
      return (
        items.length === 2 &&
        items.every((pod) => pod.status?.conditions?.some((one) => one.reason === 'Unschedulable')) &&
        items
      );
    }, 'two unschedulable pods');
    expect((pods as corev1.Pod[]).map((pod) => pod.status?.phase)).toEqual(['Pending', 'Pending']);
  });
});
