import { annotations, finalizers, hostedClusters, hostedControlPlanes, nodePools } from '@hypershift-ts/hypershift-api';
import {
  appsv1,
  corev1,
  isNotFound,
  type KubeObject,
  rbacv1,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import {
  deleteIfPresent,
  getIfPresent,
  type ReconcileContext,
  type ReconcileResult,
  removeFinalizer,
} from '@hypershift-ts/kube-controller';
import { clusterApiClusters, clusterApiDeployments, crdReaderAccess, ownerLabels } from '../cluster-api/index.ts';
import { referencedBy } from '../copied-objects/index.ts';
import { type DeletionStep, deletionPlan, type LeftOvers, type Remaining } from '../deletion/index.ts';
import type { HostedClusterScope } from './scope.ts';
import { writeStatus } from './write-status.ts';

const remaining = (kind: string, object: KubeObject | undefined): readonly Remaining[] =>
  object
    ? [
        {
          kind,
          name: object.metadata.name ?? '',
          namespace: object.metadata.namespace,
          deletionTimestamp: object.metadata.deletionTimestamp,
          finalizers: object.metadata.finalizers,
        },
      ]
    : [];

/** The objects of a kind, or none where the management cluster does not know the kind. */
async function listKnown<T extends KubeObject>(
  { client, signal }: ReconcileContext,
  type: ResourceType<T>,
  namespace: string,
): Promise<readonly T[]> {
  try {
    return (await client.list(type, { namespace, signal })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

async function leftOvers(
  { cluster, namespace, platform, nodePools: pools, hostedControlPlane }: HostedClusterScope,
  context: ReconcileContext,
): Promise<LeftOvers> {
  const { client, signal } = context;
  const connectivity = platform.traits.privateConnectivity?.type;
  const name = cluster.spec.infraID ?? '';
  return {
    nodePools: pools.flatMap((pool) => remaining('NodePool', pool)),
    clusterApiCluster: name
      ? remaining('Cluster', await getIfPresent(client, clusterApiClusters, { namespace, name }, { signal }))
      : [],
    privateConnectivity: connectivity
      ? (await listKnown(context, connectivity, namespace)).flatMap((object) => remaining(connectivity.kind, object))
      : [],
    hostedControlPlane: remaining('HostedControlPlane', hostedControlPlane),
    namespace: remaining('Namespace', await getIfPresent(client, corev1.namespaces, { name: namespace }, { signal })),
  };
}

type Action = (scope: HostedClusterScope, context: ReconcileContext) => Promise<void>;

async function forget(scope: HostedClusterScope, { client, signal }: ReconcileContext): Promise<void> {
  const key = referencedBy(scope.cluster);
  const namespace = scope.cluster.metadata.namespace ?? '';
  for (const type of [corev1.secrets, corev1.configmaps] as const)
    for (const { metadata } of (await client.list<KubeObject>(type, { namespace, signal })).items)
      if (metadata.annotations?.[key] !== undefined) {
        const body = { metadata: { annotations: { [key]: null } } };
        await client.patch<KubeObject>(
          type,
          { namespace, name: metadata.name ?? '' },
          { type: 'merge', body },
          { signal },
        );
      }
}

/** What each step does. All may run again at any time. */
const actions: { readonly [step in DeletionStep]: Action } = {
  async unpause({ cluster, namespace }, { client, signal }) {
    const key = { namespace, name: cluster.spec.infraID ?? '' };
    const live = cluster.spec.infraID ? await getIfPresent(client, clusterApiClusters, key, { signal }) : undefined;
    if (live?.spec.paused)
      await client.patch(clusterApiClusters, key, { type: 'merge', body: { spec: { paused: false } } }, { signal });
  },
  async 'request-cloud-cleanup'({ cluster, hostedControlPlane: hcp }, { client, signal }) {
    const key = annotations.cleanupCloudResources.key;
    if (!hcp || cluster.metadata.annotations?.[key] !== 'true' || hcp.metadata.annotations?.[key] === 'true') return;
    const at = { namespace: hcp.metadata.namespace ?? '', name: hcp.metadata.name ?? '' };
    const body = { metadata: { annotations: { [key]: 'true' } } };
    await client.patch(hostedControlPlanes, at, { type: 'merge', body }, { signal });
  },
  async 'delete-node-pools'({ cluster, nodePools: pools }, { client, signal }) {
    const namespace = cluster.metadata.namespace ?? '';
    for (const live of pools)
      await deleteIfPresent(client, nodePools, { namespace, name: live.metadata.name ?? '' }, { live, signal });
  },
  async 'delete-cluster-api-cluster'({ cluster, namespace }, { client, signal }) {
    const name = cluster.spec.infraID;
    if (!name) return;
    const live = await getIfPresent(client, clusterApiClusters, { namespace, name }, { signal });
    await deleteIfPresent(client, clusterApiClusters, { namespace, name }, { live: live ?? null, signal });
  },
  async 'release-orphaned-machines'({ cluster, namespace, platform }, context) {
    const { orphans } = platform;
    if (!orphans) return;
    for (const machine of await listKnown(context, orphans.machines, namespace)) {
      const left = orphans.release(cluster, machine, new Date(context.clock.now()));
      if (!left) continue;
      const body = { metadata: { finalizers: left, resourceVersion: machine.metadata.resourceVersion } };
      await context.client.patch(
        orphans.machines,
        { namespace, name: machine.metadata.name ?? '' },
        { type: 'merge', body },
      );
    }
  },
  async 'release-cluster-api-deployments'({ namespace }, { client, signal }) {
    for (const name of clusterApiDeployments) {
      const live = await getIfPresent(client, appsv1.deployments, { namespace, name }, { signal });
      if (live) await removeFinalizer(client, appsv1.deployments, live, finalizers.component.key);
    }
  },
  async 'delete-credentials'({ cluster, namespace, platform }, { client, signal }) {
    for (const { type, key } of platform.credentialsOutside({ cluster, namespace }))
      await deleteIfPresent(client, type, key, { signal });
  },
  async 'delete-private-connectivity'({ namespace, platform }, context) {
    const type = platform.traits.privateConnectivity?.type;
    if (!type) return;
    for (const live of await listKnown(context, type, namespace))
      await deleteIfPresent(context.client, type, { namespace, name: live.metadata.name ?? '' }, { live });
  },
  async 'delete-cluster-rbac'({ cluster }, { client, signal }) {
    const [, binding] = crdReaderAccess(cluster);
    await deleteIfPresent(client, rbacv1.clusterrolebindings, { name: binding.metadata.name ?? '' }, { signal });
  },
  async 'delete-hosted-control-plane'({ hostedControlPlane: live, namespace, cluster }, { client, signal }) {
    const key = { namespace, name: cluster.metadata.name ?? '' };
    await deleteIfPresent(client, hostedControlPlanes, key, { live: live ?? null, signal });
  },
  // Documents are uploaded by nobody yet, so there are none to remove.
  async 'remove-oidc-documents'() {},
  async 'delete-namespace'({ namespace }, { client, signal }) {
    const live = await getIfPresent(client, corev1.namespaces, { name: namespace }, { signal });
    await deleteIfPresent(client, corev1.namespaces, { name: namespace }, { live: live ?? null, signal });
  },
  async 'delete-owned-cluster-rbac'({ cluster }, { client, signal }) {
    const labelSelector = Object.entries(ownerLabels(cluster))
      .map(([key, value]) => `${key}=${value}`)
      .join(',');
    for (const type of [rbacv1.clusterrolebindings, rbacv1.clusterroles])
      for (const { metadata } of (await client.list<KubeObject>(type, { labelSelector, signal })).items)
        await deleteIfPresent<KubeObject>(client, type, { name: metadata.name ?? '' }, { signal });
  },
  'forget-referenced-resources': forget,
  async 'remove-finalizer'({ cluster }, { client }) {
    await removeFinalizer(client, hostedClusters, cluster, finalizers.hypershift.key);
  },
};

/** Takes down what is left of a cluster, as far as it can go now, and says where it stands. */
export async function deleteHostedCluster(
  scope: HostedClusterScope,
  context: ReconcileContext,
): Promise<ReconcileResult> {
  const plan = deletionPlan(scope.cluster, await leftOvers(scope, context), new Date(context.clock.now()));
  for (const step of plan.steps) await actions[step](scope, context);
  if (plan.finished) return undefined;
  await writeStatus(scope.cluster, {}, plan.conditions, context);
  return plan.requeueAfterMs === undefined ? undefined : { requeueAfterMs: plan.requeueAfterMs };
}
