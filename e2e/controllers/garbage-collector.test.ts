import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { apiextensionsv1, appsv1, corev1, isNotFound } from '@hypershift-ts/kube-apimachinery';
import { controllerReference, ownerReference } from '@hypershift-ts/kube-controller';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { TestCluster } from './testing/cluster.ts';
import { aDeployment, eventually, settled, testCluster } from './testing/cluster.ts';

let cluster: TestCluster;
beforeAll(async () => {
  cluster = await testCluster();
});
afterAll(() => cluster?.stop());

const namespace = 'default';
const configMap = (name: string, owners: KubeObject[] = []) =>
  cluster.client.create(corev1.configmaps, {
    metadata: { name, namespace, ownerReferences: owners.map((owner) => ownerReference(corev1.configmaps, owner)) },
  });
const exists = async <T extends KubeObject>(type: ResourceType<T>, name: string) => {
  try {
    return await cluster.client.get(type, { namespace, name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
};

describe('garbage collector', () => {
  it('When a deployment is deleted in the background, it should take ReplicaSets and pods after it', async () => {
    await cluster.client.create(appsv1.deployments, aDeployment('bg', 2));
    await eventually(async () =>
      expect((await cluster.client.get(appsv1.deployments, { namespace, name: 'bg' })).status?.availableReplicas).toBe(
        2,
      ),
    );
    await cluster.client.delete(appsv1.deployments, { namespace, name: 'bg' });
    await eventually(async () => {
      expect((await cluster.client.list(appsv1.replicasets, { labelSelector: 'app=bg' })).items).toHaveLength(0);
      expect((await cluster.client.list(corev1.pods, { labelSelector: 'app=bg' })).items).toHaveLength(0);
    });
  });

  it('When a deployment is deleted in the foreground, it should go last', async () => {
    await cluster.client.create(appsv1.deployments, aDeployment('fg', 2));
    await eventually(async () =>
      expect((await cluster.client.get(appsv1.deployments, { namespace, name: 'fg' })).status?.availableReplicas).toBe(
        2,
      ),
    );
    await cluster.client.delete(appsv1.deployments, { namespace, name: 'fg' }, { propagationPolicy: 'Foreground' });
    await eventually(async () => {
      const pods = (await cluster.client.list(corev1.pods, { labelSelector: 'app=fg' })).items;
      const owner = await exists(appsv1.deployments, 'fg');
      if (pods.length > 0 && !owner) throw new Error('the deployment went before its pods');
      expect(owner).toBeUndefined();
    });
    expect((await cluster.client.list(corev1.pods, { labelSelector: 'app=fg' })).items).toHaveLength(0);
  });

  it('When a deployment is deleted with orphans, it should leave its ReplicaSet and pods alone', async () => {
    await cluster.client.create(appsv1.deployments, aDeployment('orphan', 1));
    await eventually(async () =>
      expect(
        (await cluster.client.get(appsv1.deployments, { namespace, name: 'orphan' })).status?.availableReplicas,
      ).toBe(1),
    );
    await cluster.client.delete(appsv1.deployments, { namespace, name: 'orphan' }, { propagationPolicy: 'Orphan' });
    await eventually(async () => expect(await exists(appsv1.deployments, 'orphan')).toBeUndefined());
    await settled(cluster);
    const [set] = (await cluster.client.list(appsv1.replicasets, { labelSelector: 'app=orphan' })).items;
    expect(set?.metadata.ownerReferences ?? []).toEqual([]);
    expect((await cluster.client.list(corev1.pods, { labelSelector: 'app=orphan' })).items).toHaveLength(1);
  });

  it('When one of two owners goes, it should only drop the reference; with the last it should delete', async () => {
    const a = await configMap('owner-a');
    const b = await configMap('owner-b');
    await configMap('child', [a, b]);
    await cluster.client.delete(corev1.configmaps, { namespace, name: 'owner-a' });
    await eventually(async () =>
      expect((await exists(corev1.configmaps, 'child'))?.metadata.ownerReferences?.map(({ name }) => name)).toEqual([
        'owner-b',
      ]),
    );
    await cluster.client.delete(corev1.configmaps, { namespace, name: 'owner-b' });
    await eventually(async () => expect(await exists(corev1.configmaps, 'child')).toBeUndefined());
  });

  it('When an object names an owner that is not there, it should be deleted', async () => {
    const gone = await configMap('gone');
    await cluster.client.delete(corev1.configmaps, { namespace, name: 'gone' });
    await configMap('late', [gone]);
    await eventually(async () => expect(await exists(corev1.configmaps, 'late')).toBeUndefined());
  });

  it('When a custom resource that came later owns something, it should be followed too', async () => {
    const webs: ResourceType<KubeObject> = {
      group: 'example.org',
      version: 'v1',
      kind: 'Web',
      resource: 'webs',
      namespaced: true,
    };
    await cluster.client.create(apiextensionsv1.customresourcedefinitions, {
      metadata: { name: 'webs.example.org' },
      spec: {
        group: 'example.org',
        scope: 'Namespaced',
        names: { plural: 'webs', singular: 'web', kind: 'Web', listKind: 'WebList' },
        versions: [
          {
            name: 'v1',
            served: true,
            storage: true,
            schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
          },
        ],
      },
    } as never);
    const web = await eventually(() => cluster.client.create(webs, { metadata: { name: 'w', namespace } }));
    await cluster.client.create(corev1.configmaps, {
      metadata: { name: 'of-web', namespace, ownerReferences: [controllerReference(webs, web)] },
    });
    await settled(cluster);
    expect(await exists(corev1.configmaps, 'of-web')).toBeDefined();
    await cluster.client.delete(webs, { namespace, name: 'w' });
    await eventually(async () => expect(await exists(corev1.configmaps, 'of-web')).toBeUndefined());
    expect(cluster.logged).toEqual([]);
  });
});

describe('namespace', () => {
  it('When created, it should get its service account and CA bundle', async () => {
    await cluster.client.create(corev1.namespaces, { metadata: { name: 'team' } });
    await eventually(async () => {
      await cluster.client.get(corev1.serviceaccounts, { namespace: 'team', name: 'default' });
      const ca = await cluster.client.get(corev1.configmaps, { namespace: 'team', name: 'kube-root-ca.crt' });
      expect(ca.data?.['ca.crt']).toContain('BEGIN CERTIFICATE');
    });
  });

  it('When deleted, it should take everything in it along, custom resources included', async () => {
    await cluster.client.create(appsv1.deployments, {
      ...aDeployment('web', 2),
      metadata: { name: 'web', namespace: 'team' },
    });
    await eventually(async () =>
      expect((await cluster.client.list(corev1.pods, { namespace: 'team' })).items).toHaveLength(2),
    );
    await cluster.client.delete(corev1.namespaces, { name: 'team' });
    await eventually(async () =>
      expect((await cluster.client.list(corev1.namespaces)).items.map(({ metadata }) => metadata.name)).not.toContain(
        'team',
      ),
    );
    expect((await cluster.client.list(corev1.pods, { namespace: 'team' })).items).toHaveLength(0);
    expect((await cluster.client.list(corev1.configmaps, { namespace: 'team' })).items).toHaveLength(0);
  });

  it('When something in it waits for a finalizer, it should say what and go once that is done', async () => {
    await cluster.client.create(corev1.namespaces, { metadata: { name: 'stuck' } });
    await cluster.client.create(corev1.configmaps, {
      metadata: { name: 'held', namespace: 'stuck', finalizers: ['example.org/wait'] },
    });
    await cluster.client.delete(corev1.namespaces, { name: 'stuck' });
    await eventually(async () => {
      const { status } = await cluster.client.get(corev1.namespaces, { name: 'stuck' });
      expect(status?.phase).toBe('Terminating');
      expect(status?.conditions?.find(({ type }) => type === 'NamespaceFinalizersRemaining')).toMatchObject({
        status: 'True',
        message: 'Some content in the namespace has finalizers remaining: example.org/wait in 1 resource instances',
      });
    });
    await cluster.client.patch(
      corev1.configmaps,
      { namespace: 'stuck', name: 'held' },
      { type: 'merge', body: { metadata: { finalizers: null } } },
    );
    await eventually(
      async () =>
        expect((await cluster.client.list(corev1.namespaces)).items.map(({ metadata }) => metadata.name)).not.toContain(
          'stuck',
        ),
      15_000,
    );
  });
});
