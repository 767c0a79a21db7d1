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
import { applyHosted, createLocalStorageClass, hostedPki } from './manifests.ts';

const namespace = 'clusters-three';

describe('Three members of builtin etcd behind a hosted API server', () => {
  let management: Management;
  let hosted: HttpClient;

  beforeAll(async () => {
    management = await startManagement();
    const { client } = management;
    await createLocalStorageClass(client);
    const pki = await hostedPki(namespace);
    await applyHosted(client, { namespace, pki, etcdMembers: 3, persistent: true });
    hosted = hostedClient(await hostedKubeconfig(client, namespace, pki.kubeconfigs.admin));
    await eventually(() => hosted.raw('GET', '/readyz'), 'hosted /readyz').catch(async (error: Error) => {
      throw new Error(`${error.message}\n${await describePods(client, namespace)}`, { cause: error });
    });
    await hosted.create(corev1.configmaps, { metadata: { name: 'kept', namespace: 'default' } });
  });

  afterAll(async () => {
    await hosted?.close();
    await management?.stop();
  });

  const scaleTo = async (replicas: number) => {
    const { client } = management;
    await client.patch(
      appsv1.statefulsets,
      { namespace, name: 'etcd' },
      { type: 'merge', body: { spec: { replicas } } },
    );
    await eventually(async () => management.directory.size.etcdMembers === replicas, `${replicas} members`);
  };
  const write = (name: string) => hosted.create(corev1.configmaps, { metadata: { name, namespace: 'default' } });

  it('When one member stops, it should go on', async () => {
    await scaleTo(2);
    expect((await write('with-two')).metadata.name).toBe('with-two');
  });

  it('When two members stop, it should refuse and say why', async () => {
    await scaleTo(1);
    await expect(write('with-one')).rejects.toThrow();
    const ready = await hosted.raw('GET', '/readyz?verbose').catch((error: Error) => error.message);
    expect(JSON.stringify(ready)).toContain('etcd');
  });

  it('When all stop and come back, it should have everything', async () => {
    await scaleTo(0);
    await scaleTo(3);
    const kept = await eventually(
      () => hosted.get(corev1.configmaps, { namespace: 'default', name: 'with-two' }),
      'data after the restart',
    );
    expect(kept.metadata.name).toBe('with-two');
    // Watches of the API server went on too: controllers see new namespaces.
    await eventually(() => hosted.create(corev1.namespaces, { metadata: { name: 'new' } }), 'a write');
    await eventually(
      () => hosted.get(corev1.serviceaccounts, { namespace: 'new', name: 'default' }),
      'controllers after the restart',
    );
  });
});
