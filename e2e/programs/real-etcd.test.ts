import { spawnSync } from 'node:child_process';
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
import { applyHosted, createLocalStorageClass, hostedPki } from './manifests.ts';

const namespace = 'clusters-real';
const etcd = (process.env['PATH'] ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'etcd'))
  .find((file) => existsSync(file));
if (!etcd) process.stderr.write('SKIPPED: there is no etcd on PATH\n');

/** An /etc/hosts of its own, by which members find each other, needs user namespaces. */
const mayUnshare =
  spawnSync('unshare', ['--user', '--map-root-user', '--mount', 'mount', '--bind', '/etc/hosts', '/etc/hosts'])
    .status === 0;
if (!mayUnshare) process.stderr.write('SKIPPED: three members of a real etcd, for lack of user namespaces\n');
const sizes = mayUnshare ? [1, 3] : [1];

describe.skipIf(!etcd).each(sizes)('The same manifests with %d members of the etcd of this machine', (etcdMembers) => {
  let management: Management;
  let hosted: HttpClient;

  beforeAll(async () => {
    management = await startManagement(
      { process: [{ images: ['etcd'], programs: { etcd: etcd ?? '' }, clusterNames: etcdMembers > 1 }] },
      { without: ['etcd'] },
    );
    const { client } = management;
    await createLocalStorageClass(client);
    const pki = await hostedPki(namespace);
    await applyHosted(client, { namespace, pki, etcdMembers, persistent: etcdMembers > 1 });
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

  it.runIf(etcdMembers === 3)('When one member is lost, it should go on, and the member should come back', async () => {
    const { client } = management;
    const before = await client.get(corev1.pods, { namespace, name: 'etcd-1' });
    await client.delete(corev1.pods, { namespace, name: 'etcd-1' });
    const written = await eventually(
      () => hosted.create(corev1.configmaps, { metadata: { name: 'meanwhile', namespace: 'default' } }),
      'a write with two members',
    );
    expect(written.metadata.name).toBe('meanwhile');
    await eventually(async () => {
      const { metadata, status } = await client.get(corev1.pods, { namespace, name: 'etcd-1' });
      return metadata.uid !== before.metadata.uid && status?.containerStatuses?.[0]?.ready === true;
    }, 'the third member');
  });
});
