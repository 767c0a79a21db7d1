import type { ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { clusterConfigFrom, HttpClient, parseKubeconfig } from '@hypershift-ts/kube-client';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestCluster, type TestCluster } from '../harness/cluster.ts';
import { admissionTypes, createNamespaces } from './fixtures.ts';

const type = (group: string, kind: string, resource: string, namespaced: boolean): ResourceType => ({
  group,
  version: 'v1',
  kind,
  resource,
  namespaced,
});
const nodes = type('', 'Node', 'nodes', false);
const roles = type('rbac.authorization.k8s.io', 'Role', 'roles', true);
const roleBindings = type('rbac.authorization.k8s.io', 'RoleBinding', 'rolebindings', true);
const claims = type('', 'PersistentVolumeClaim', 'persistentvolumeclaims', true);
const leases = type('coordination.k8s.io', 'Lease', 'leases', true);

/** The plugins that guard a cluster, met by the people they are about. */
describe('Security admission over HTTPS', () => {
  let server: TestCluster;
  const clients: HttpClient[] = [];

  beforeAll(async () => {
    server = await startTestCluster({ controllers: false });
    await createNamespaces(server.client, ['guarded'], {
      'pod-security.kubernetes.io/enforce': 'restricted',
      'pod-security.kubernetes.io/enforce-version': 'latest',
    });
    await createNamespaces(server.client, ['team']);
  });

  afterAll(async () => {
    for (const client of clients) await client.close();
    await server.stop();
  });

  const as = (user: string, groups: string[] = []): HttpClient => {
    const config = clusterConfigFrom(parseKubeconfig(server.cluster.adminKubeconfig(), 'test', '/'));
    const client = new HttpClient({ ...config, impersonate: { user, groups: [...groups, 'system:authenticated'] } });
    clients.push(client);
    return client;
  };
  const object = (fields: object) => fields as unknown as UnstructuredObject;

  it('When a namespace enforces the restricted level, it should refuse an ordinary pod and admit a careful one', async () => {
    const pod = (name: string, securityContext: object, container: object) =>
      server.client.create(
        admissionTypes.pods,
        object({
          metadata: { name, namespace: 'guarded' },
          spec: { securityContext, containers: [{ name: 'main', image: 'x', securityContext: container }] },
        }),
      );
    await expect(pod('plain', {}, {})).rejects.toMatchObject({
      code: 403,
      message: expect.stringContaining('pods "plain" is forbidden: violates PodSecurity "restricted:latest": '),
    });
    await expect(
      pod(
        'careful',
        { runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } },
        { allowPrivilegeEscalation: false, capabilities: { drop: ['ALL'] } },
      ),
    ).resolves.toBeDefined();
  });

  it('When a kubelet writes, it should be held to its own objects', async () => {
    const kubelet = as('system:node:n1', ['system:nodes']);
    const own = await kubelet.create(nodes, object({ metadata: { name: 'n1' } }));
    expect(own).toMatchObject({ spec: { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoSchedule' }] } });
    await expect(kubelet.create(nodes, object({ metadata: { name: 'n2' } }))).rejects.toThrow(
      'nodes "n2" is forbidden: node "n1" is not allowed to modify node "n2"',
    );
    const label = { metadata: { labels: { 'node-restriction.kubernetes.io/zone': 'dmz' } } };
    await expect(kubelet.patch(nodes, { name: 'n1' }, { type: 'merge', body: label })).rejects.toThrow(
      'is not allowed to modify labels: node-restriction.kubernetes.io/zone',
    );
    await expect(
      kubelet.create(leases, object({ metadata: { name: 'n2', namespace: 'kube-node-lease' }, spec: {} })),
    ).rejects.toMatchObject({ code: 403 });
  });

  it('When a namespace administrator hands out rights, it should not exceed its own', async () => {
    await server.client.create(
      roleBindings,
      object({
        metadata: { name: 'owner', namespace: 'team' },
        roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'admin' },
        subjects: [{ kind: 'User', name: 'olga', apiGroup: 'rbac.authorization.k8s.io' }],
      }),
    );
    const olga = as('olga');
    const role = (name: string, resources: string[]) =>
      olga.create(
        roles,
        object({ metadata: { name, namespace: 'team' }, rules: [{ verbs: ['get'], apiGroups: [''], resources }] }),
      );
    await expect(role('fine', ['pods'])).resolves.toBeDefined();
    await expect(role('too-much', ['nodes'])).rejects.toThrow(
      /user "olga" \(groups=\["system:authenticated"\]\) is attempting to grant RBAC permissions not currently held/,
    );
    await expect(
      olga.create(
        roleBindings,
        object({
          metadata: { name: 'climb', namespace: 'team' },
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'cluster-admin' },
          subjects: [{ kind: 'User', name: 'olga', apiGroup: 'rbac.authorization.k8s.io' }],
        }),
      ),
    ).rejects.toMatchObject({ code: 403 });
  });

  it('When a claim is made, it should be protected', async () => {
    const claim = await server.client.create(
      claims,
      object({
        metadata: { name: 'data', namespace: 'team' },
        spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
      }),
    );
    expect(claim.metadata.finalizers).toEqual(['kubernetes.io/pvc-protection']);
  });
});
