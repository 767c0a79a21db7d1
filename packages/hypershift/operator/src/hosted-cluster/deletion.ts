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
import { clusterApiClusters, clusterApiDeployments, crdReaderBinding, ownerLabels } from '../cluster-api/index.ts';
import { referencedBy } from '../copied-objects/index.ts';
import { type DeletionStep, deletionPlan, type LeftOvers, type Remaining } from '../deletion/index.ts';
import { deletionConditions } from '../conditions/index.ts';
import { isNamespaceOf } from '../namespace/index.ts';
import { NoPlaceForDocuments, oidcFinalizerOf } from '../oidc/index.ts';
import type { HostedClusterScope } from './scope.ts';
import { forgetOperators } from './steps/operators.ts';
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

/** The namespace of the control plane, unless another cluster of a similar name has it. */
async function ownNamespace({ cluster, namespace }: HostedClusterScope, { client, signal }: ReconcileContext) {
  const live = await getIfPresent(client, corev1.namespaces, { name: namespace }, { signal });
  return live && isNamespaceOf(live, cluster) ? live : undefined;
}

/** What a namespace says about its content; the finalizers that hold some of it are the first thing to look at. */
function contentOf(namespace: corev1.Namespace | undefined): string | undefined {
  const said = ['NamespaceFinalizersRemaining', 'NamespaceDeletionContentFailure', 'NamespaceContentRemaining'];
  const conditions = namespace?.status?.conditions ?? [];
  const found = said.flatMap((type) => conditions.filter((one) => one.type === type && one.status === 'True'));
  return found[0]?.message;
}

/** What is left, asked for and not taken from memory: an old view would end a deletion too early. */
async function leftOvers(scope: HostedClusterScope, context: ReconcileContext): Promise<LeftOvers> {
  const { cluster, namespace, platform, nodePools: pools } = scope;
  const { client, signal } = context;
  const connectivity = platform.traits.privateConnectivity?.type;
  const name = cluster.spec.infraID ?? '';
  const key = { namespace, name: cluster.metadata.name ?? '' };
  const own = await ownNamespace(scope, context);
  return {
    nodePools: pools.flatMap((pool) => remaining('NodePool', pool)),
    clusterApiCluster: name
      ? remaining('Cluster', await getIfPresent(client, clusterApiClusters, { namespace, name }, { signal }))
      : [],
    privateConnectivity: connectivity
      ? (await listKnown(context, connectivity, namespace)).flatMap((object) => remaining(connectivity.kind, object))
      : [],
    hostedControlPlane: remaining(
      'HostedControlPlane',
      await getIfPresent(client, hostedControlPlanes, key, { signal }),
    ),
    namespace: remaining('Namespace', own).map((one) => ({ ...one, detail: contentOf(own) })),
  };
}

/** How long the control plane operator may take to let go of its part of a private connection. */
const letGoAfterMs = 10 * 60 * 1000;

const isStuck = ({ metadata }: KubeObject, now: number): boolean =>
  metadata.deletionTimestamp !== undefined && now - Date.parse(metadata.deletionTimestamp) > letGoAfterMs;

type Action = (scope: HostedClusterScope, context: ReconcileContext) => Promise<void>;

async function forget(scope: HostedClusterScope, { cache, client, signal }: ReconcileContext): Promise<void> {
  const key = referencedBy(scope.cluster);
  const namespace = scope.cluster.metadata.namespace ?? '';
  for (const type of [corev1.secrets, corev1.configmaps] as const)
    for (const { metadata } of cache.list<KubeObject>(type, namespace))
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
    for (const { type, key } of platform.credentialsOutside({ cluster, namespace })) {
      const live = (await getIfPresent(client, type, key, { signal })) ?? null;
      await deleteIfPresent(client, type, key, { live, signal });
    }
  },
  async 'delete-private-connectivity'({ namespace, platform }, context) {
    const type = platform.traits.privateConnectivity?.type;
    if (!type) return;
    for (const live of await listKnown(context, type, namespace)) {
      await deleteIfPresent(context.client, type, { namespace, name: live.metadata.name ?? '' }, { live });
      // By then the control plane operator cannot reach the cloud any more, and nobody else would let it go.
      if (isStuck(live, context.clock.now()))
        await removeFinalizer(context.client, type, live, finalizers.controlPlaneOperator.key);
    }
  },
  async 'delete-cluster-rbac'({ cluster }, { client, signal }) {
    const key = { name: crdReaderBinding(cluster).metadata.name ?? '' };
    const live = (await getIfPresent(client, rbacv1.clusterrolebindings, key, { signal })) ?? null;
    await deleteIfPresent(client, rbacv1.clusterrolebindings, key, { live, signal });
  },
  async 'delete-hosted-control-plane'({ namespace, cluster }, { client, signal }) {
    const key = { namespace, name: cluster.metadata.name ?? '' };
    const live = (await getIfPresent(client, hostedControlPlanes, key, { signal })) ?? null;
    await deleteIfPresent(client, hostedControlPlanes, key, { live, signal });
  },
  async 'remove-oidc-documents'({ cluster, options }, { client, signal }) {
    const finalizer = oidcFinalizerOf(cluster);
    if (!cluster.metadata.finalizers?.includes(finalizer)) return;
    if (!options.oidcDocuments) throw new NoPlaceForDocuments(cluster);
    await options.oidcDocuments.remove(cluster.spec.infraID ?? '');
    const key = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name ?? '' };
    const live = await getIfPresent(client, hostedClusters, key, { signal });
    if (live) await removeFinalizer(client, hostedClusters, live, finalizer);
  },
  async 'delete-namespace'(scope, context) {
    scope.options.uids?.forget(scope.namespace);
    forgetOperators(scope);
    const live = (await ownNamespace(scope, context)) ?? null;
    await deleteIfPresent(
      context.client,
      corev1.namespaces,
      { name: scope.namespace },
      { live, signal: context.signal },
    );
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
  async 'remove-finalizer'({ cluster }, { client, signal }) {
    const key = { namespace: cluster.metadata.namespace ?? '', name: cluster.metadata.name ?? '' };
    const live = await getIfPresent(client, hostedClusters, key, { signal });
    if (live) await removeFinalizer(client, hostedClusters, live, finalizers.hypershift.key);
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
  const cleanup = deletionConditions(scope.hostedControlPlane);
  await writeStatus(scope.cluster, {}, [...cleanup, ...plan.conditions], context);
  return plan.requeueAfterMs === undefined ? undefined : { requeueAfterMs: plan.requeueAfterMs };
}
