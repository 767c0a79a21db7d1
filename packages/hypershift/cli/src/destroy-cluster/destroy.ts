import { annotations, finalizers, type HostedCluster, hostedClusters, labels } from '@hypershift-ts/hypershift-api';
import { corev1, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { UserError } from '../cli-error.ts';
import { type Cause, clusterCause, waitForObject } from '../progress/index.ts';

export interface DestroyOptions {
  readonly client: Client;
  readonly namespace: string;
  readonly name: string;
  /** Ask the control plane to remove what the cluster made in its cloud. Default true. */
  readonly destroyCloudResources?: boolean;
  /** How long the operator may take. */
  readonly graceMs: number;
  /** For a cluster whose object is gone already, whose Secrets may still be there. */
  readonly infraID?: string;
  readonly note?: (text: string) => void;
  readonly onProgress?: (cause: Cause) => void;
  readonly signal?: AbortSignal;
}

const finalizer = finalizers.destroyCluster.key;

async function clusterIfThere(
  client: Client,
  key: { namespace: string; name: string },
): Promise<HostedCluster | undefined> {
  return client.get(hostedClusters, key).catch((error: unknown) => {
    if (isNotFound(error)) return undefined;
    throw error;
  });
}

/** What must be written before the deletion: our finalizer, so that nobody loses sight of the cluster before its Secrets are gone. */
export function destroyPatch(cluster: HostedCluster, destroyCloudResources: boolean): object | undefined {
  const held = cluster.metadata.finalizers ?? [];
  // The server takes no new finalizers once deletion has begun.
  const needsFinalizer = !cluster.metadata.deletionTimestamp && !held.includes(finalizer);
  const mark = annotations.cleanupCloudResources.key;
  const needsMark = destroyCloudResources && cluster.metadata.annotations?.[mark] !== 'true';
  if (!needsFinalizer && !needsMark) return undefined;
  return {
    metadata: {
      resourceVersion: cluster.metadata.resourceVersion,
      ...(needsFinalizer ? { finalizers: [...held, finalizer] } : {}),
      ...(needsMark ? { annotations: { [mark]: 'true' } } : {}),
    },
  };
}

/** Whether only we still hold the cluster, or only the grace period its owner asked for. */
export function isTornDown(cluster: HostedCluster | undefined): boolean {
  if (!cluster) return true;
  if (!cluster.metadata.deletionTimestamp) return false;
  if ((cluster.metadata.finalizers ?? []).every((one) => one === finalizer)) return true;
  const waitsForGrace = cluster.metadata.annotations?.[annotations.destroyGracePeriod.key] !== undefined;
  return waitsForGrace && (cluster.status?.conditions ?? []).some(({ type }) => type === 'HostedClusterDestroyed');
}

/** Follows the deletion until the operator has finished; fails with the blocker when the grace period is over. */
function untilTornDown({ client, namespace, name, graceMs, onProgress, signal }: DestroyOptions): Promise<void> {
  return waitForObject({
    client,
    type: hostedClusters,
    namespace,
    name,
    subject: `HostedCluster ${namespace}/${name}`,
    look: (cluster) => (cluster && !isTornDown(cluster) ? clusterCause(cluster) : undefined),
    timeoutMs: graceMs,
    fix: 'Deletion goes on. Remove what blocks it, then run the same command again; --cluster-grace-period lets it wait longer.',
    ...(onProgress ? { onProgress } : {}),
    ...(signal ? { signal } : {}),
  });
}

/** Takes our finalizer away; again when somebody else wrote meanwhile. */
async function release(client: Client, key: { namespace: string; name: string }): Promise<void> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const cluster = await clusterIfThere(client, key);
    const held = cluster?.metadata.finalizers ?? [];
    if (!cluster || !held.includes(finalizer)) return;
    const body = {
      metadata: {
        resourceVersion: cluster.metadata.resourceVersion,
        finalizers: held.filter((one) => one !== finalizer),
      },
    };
    try {
      await client.patch(hostedClusters, key, { type: 'merge', body });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if ((error as { readonly reason?: string }).reason !== 'Conflict') throw error;
    }
  }
}

/** Every text in a value, however deep. */
function* textsIn(value: unknown): Generator<string> {
  if (typeof value === 'string') yield value;
  else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) yield* textsIn(one);
}

/**
 * Deletes Secrets that `create cluster` made for this cluster. What another cluster names stays: two may have been given
 * the same infraID by mistake, and the labels of their Secrets do not tell them apart.
 */
async function deleteSecrets({ client, namespace, name }: DestroyOptions, infraID: string): Promise<number> {
  const labelSelector = `${labels.autoCreatedForInfra.key}=${infraID},${labels.safeToDeleteWithCluster.key}=true`;
  const { items } = await client.list(corev1.secrets, { namespace, labelSelector });
  if (items.length === 0) return 0;
  const others = (await client.list(hostedClusters, { namespace })).items.filter(
    ({ metadata }) => metadata.name !== name,
  );
  const needed = new Set(others.flatMap(({ spec }) => [...textsIn(spec)]));
  const free = items.map(({ metadata }) => metadata.name ?? '').filter((secret) => !needed.has(secret));
  for (const secret of free)
    await client.delete(corev1.secrets, { namespace, name: secret }, {}).catch((error: unknown) => {
      if (!isNotFound(error)) throw error;
    });
  return free.length;
}

/** Writes what deletion needs; again on the newest version when the operator wrote meanwhile. */
async function prepare(options: DestroyOptions, seen: HostedCluster): Promise<void> {
  const { client, namespace, name } = options;
  const key = { namespace, name };
  let cluster: HostedCluster | undefined = seen;
  for (let attempt = 0; cluster; attempt++) {
    const body = destroyPatch(cluster, options.destroyCloudResources ?? true);
    try {
      if (body) await client.patch(hostedClusters, key, { type: 'merge', body });
      return;
    } catch (error) {
      if (isNotFound(error)) return;
      if ((error as { readonly reason?: string }).reason !== 'Conflict' || attempt >= 9) throw error;
      cluster = await clusterIfThere(client, key);
    }
  }
}

async function beginDeletion(options: DestroyOptions, cluster: HostedCluster): Promise<void> {
  const { client, namespace, name, note } = options;
  const key = { namespace, name };
  await prepare(options, cluster);
  if (cluster.metadata.deletionTimestamp)
    return note?.(`HostedCluster ${namespace}/${name} is being deleted already; going on with it`);
  await client.delete(hostedClusters, key, {}).catch((error: unknown) => {
    if (!isNotFound(error)) throw error;
  });
  note?.(`Deleting HostedCluster ${namespace}/${name}`);
}

/** Deletes a cluster with everything `create cluster` made for it. May be repeated after any interruption. */
export async function destroyCluster(options: DestroyOptions): Promise<void> {
  const { client, namespace, name, note } = options;
  const key = { namespace, name };
  const cluster = await clusterIfThere(client, key);
  const infraID = cluster?.spec.infraID ?? options.infraID;
  if (!cluster && !infraID)
    throw new UserError(
      `HostedCluster ${namespace}/${name} does not exist`,
      'If it is gone and only its Secrets are left, name it by --infra-id.',
    );
  if (cluster) {
    await beginDeletion(options, cluster);
    try {
      await untilTornDown(options);
    } catch (error) {
      // The operator finishes without us, so nothing of ours may hold the cluster back.
      await release(client, key).catch(() => undefined);
      throw error;
    }
  }
  const removed = infraID ? await deleteSecrets(options, infraID) : 0;
  if (removed > 0) note?.(`Removed ${removed} Secrets made for it`);
  await release(client, key);
}
