import {
  finalizers,
  type HostedCluster,
  hostedClusters,
  type NodePool,
  nodePools,
} from '@hypershift-ts/hypershift-api';
import { errorMessage, isConflict, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import {
  controller,
  type Controller,
  getIfPresent,
  ownerReference,
  type Reconcile,
  type ReconcileContext,
  type ReconcileResult,
  runSteps,
  type StepOutcomes,
} from '@hypershift-ts/kube-controller';
import { deleteNodePool } from './deletion.ts';
import { loadPool } from './load.ts';
import { machineEvents } from './machine-events.ts';
import type { NodePoolOptions } from './scope.ts';
import { nodePoolSteps } from './steps/index.ts';
import { nodePoolWatches } from './watches.ts';

/** The finalizer comes first, so that nothing made later is left behind; the owner lets the cluster take the pool along. */
async function adopted(pool: NodePool, cluster: HostedCluster, { client, signal }: ReconcileContext): Promise<boolean> {
  const { finalizers: held = [], ownerReferences = [] } = pool.metadata;
  const isHeld = held.includes(finalizers.hypershift.key);
  const isOwned = ownerReferences.some(({ uid }) => uid === cluster.metadata.uid);
  if (isHeld && isOwned) return false;
  const metadata = {
    ...pool.metadata,
    finalizers: isHeld ? held : [...held, finalizers.hypershift.key],
    ownerReferences: isOwned ? ownerReferences : [...ownerReferences, ownerReference(hostedClusters, cluster)],
  };
  await client.update(nodePools, { ...pool, metadata }, { signal });
  return true;
}

/** What ended the pass: an error to retry, or a time to look again. */
function resultOf(outcomes: StepOutcomes): { readonly error?: unknown; readonly result: ReconcileResult } {
  for (const outcome of outcomes.values()) {
    if (outcome.state === 'failed') return { error: outcome.error, result: undefined };
    if (outcome.state === 'waiting' && outcome.requeueAfterMs !== undefined)
      return { result: { requeueAfterMs: outcome.requeueAfterMs } };
  }
  return { result: undefined };
}

/** The reconcile of one NodePool. */
export function nodePoolReconcile(options: NodePoolOptions): Reconcile {
  return async (key, context) => {
    const { client, signal, events } = context;
    const pool = await getIfPresent(client, nodePools, key, { signal });
    if (!pool?.spec) return undefined;
    if (pool.metadata.deletionTimestamp) return deleteNodePool(pool, context);
    const name = pool.spec.clusterName;
    const cluster = context.cache.get(hostedClusters, { namespace: key.namespace ?? '', name });
    if (!cluster)
      throw new Error(
        `HostedCluster ${key.namespace}/${name} of NodePool ${key.namespace}/${key.name} not found; create it, or delete the NodePool`,
      );
    // The update brings the pool back here.
    if (await adopted(pool, cluster, context)) return undefined;
    const scope = loadPool(pool, cluster, context, options);
    const outcomes = await runSteps(nodePoolSteps, scope, context);
    await scope.report.write(pool, context);
    const { error, result } = resultOf(outcomes);
    if (error === undefined) return result;
    // Two writers met; the next pass sees what the other one wrote.
    if (!isConflict(error)) events.warning(pool, 'ReconcileError', errorMessage(error));
    throw error;
  };
}

/** A status that somebody else wrote is put right this late at most; most often it is our own. */
const ownNewsMs = 1_000;

/** Whether only the status of a pool changed, which nobody but this controller writes. */
function isOwnNews(pool: NodePool, before: NodePool | undefined): boolean {
  if (!before) return false;
  const { resourceVersion: _then, managedFields: _owners, ...a } = before.metadata;
  const { resourceVersion: _now, managedFields: _others, ...b } = pool.metadata;
  return jsonEqual(a, b) && jsonEqual(before.spec, pool.spec);
}

/** The controller of NodePools. */
export function nodePoolController(options: NodePoolOptions): Controller {
  return controller({
    name: 'nodepool',
    for: { type: nodePools, gatherMsOf: (pool, before) => (isOwnNews(pool, before) ? ownNewsMs : 0) },
    watches: nodePoolWatches,
    sources: [machineEvents],
    reconcile: nodePoolReconcile(options),
    concurrency: 10,
    rateLimit: { baseMs: 1000, maxMs: 10_000 },
    // What a pool reads of a control plane that starts appears piece by piece.
    gatherMs: 50,
  });
}
