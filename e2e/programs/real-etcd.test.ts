import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { corev1 } from '@hypershift-ts/kube-apimachinery';
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
import { applyHosted, hostedPki } from './manifests.ts';

const namespace = 'clusters-real';
const etcd = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'etcd'))
  .find((file) => existsSync(file));
if (!etcd) process.stderr.write('SKIPPED: there is no etcd on PATH\n');

describe.skipIf(!etcd)('The same manifests with the etcd of this machine', () => {
  let management: Management;
  let hosted: HttpClient;

  beforeAll(async () => {
    management = await startManagement(
      { process: [{ images: ['etcd'], programs: { etcd: etcd ?? '' } }] },
      { without: ['etcd'] },
    );
    const { client } = management;
    const pki = await hostedPki(namespace);
    await applyHosted(client, { namespace, pki });
    hosted = hostedClient(await hostedKubeconfig(client, namespace, pki.kubeconfigs.admin));
    await eventually(() => hosted.raw('GET', '/readyz'), 'hosted /readyz', 40_000).catch(async (error: Error) => {
      const admin = hostedClient(management.cluster.adminKubeconfig());
      const log = await admin
        .raw('GET', `/api/v1/namespaces/${namespace}/pods/etcd-0/log`)
        .catch((failure: Error) => ({ body: failure.message }));
      await admin.close();
      throw new Error(`${error.message}\n${await describePods(client, namespace)}\n${log.body}`, { cause: error });
    });
  });

  afterAll(async () => {
    await hosted?.close();
    await management?.stop();
  });

  it('When the API server pod is replaced, it should find its data in etcd', async () => {
    const { client } = management;
    await hosted.create(corev1.configmaps, { metadata: { name: 'kept', namespace: 'default' } });
    const pods = async () => (await client.list(corev1.pods, { namespace, labelSelector: 'app=kube-apiserver' })).items;
    const [before] = await pods();
    await client.delete(corev1.pods, { namespace, name: before?.metadata.name ?? '' });
    await eventually(
      async () => (await pods()).every((pod) => pod.metadata.uid !== before?.metadata.uid),
      'the old pod to go',
    );
    const kept = await eventually(
      () => hosted.get(corev1.configmaps, { namespace: 'default', name: 'kept' }),
      'data after the restart',
    );
    expect(kept.metadata.name).toBe('kept');
    expect(management.directory.size.etcdMembers).toBe(0);
  });
});
