import type { appsv1, corev1, KubeObject, LabelSelector, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { appsv1 as apps, corev1 as core } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, controllerOf, ownersOfType } from '@hypershift-ts/kube-controller';
import { claim } from '../workload/claim.ts';
import { isPodFinished, timeOf } from '../workload/pod-state.ts';
import { selectorFor } from '../workload/selectors.ts';
import { isOwnStatus, writeStatus } from '../workload/status.ts';
import { deploymentStatus, withReplicaFailure } from './deployment-status.ts';
import {
  conditionOf,
  deadlineIn,
  hasDeadline,
  isComplete,
  pauseCondition,
  progressConditions,
  withCondition,
} from './progress.ts';
import { isScalingEvent, sizesAfterScaling } from './proportional-scaling.ts';
import { findNewSet } from './replica-sets.ts';
import { newSetSize, oldSetSizes } from './rolling-update.ts';
import { Rollout } from './rollout.ts';
import { isRolling, replicasOf } from './scaling-limits.ts';

type Deployment = appsv1.Deployment;
type ReplicaSet = appsv1.ReplicaSet;
type Pod = corev1.Pod;

/** What a new ReplicaSet says about itself is waited for this long, so that one status tells of both. */
const firstLookMs = 2_000;

async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
  const { cache, client, clock, events } = context;
  const found = cache.get(apps.deployments, key);
  if (!found) return undefined;
  const selector = selectorFor(found.spec.selector as LabelSelector);
  if (selector.everything) {
    events.warning(found, 'SelectingAll', 'This deployment is selecting all pods. A non-empty selector is required.');
    return undefined;
  }
  const informer = cache.informer(apps.replicasets);
  const sets = await claim(
    client,
    { type: apps.deployments, object: found },
    { type: apps.replicasets, informer },
    selector,
  );
  if (found.metadata.deletionTimestamp) {
    const newSet = findNewSet(found, sets);
    const old = sets.filter((set) => set !== newSet);
    await writeStatus(client, apps.deployments, found, deploymentStatus(found, newSet, old, clock.now()));
    return undefined;
  }
  const deployment = await tellPause(found, context);
  const rollout = new Rollout(deployment, context);
  if (deployment.spec.paused || isScalingEvent(deployment, sets)) return scaleOnly(rollout, sets, context);
  return isRolling(deployment) ? roll(rollout, sets, context) : recreate(rollout, sets, context);
}

async function tellPause(deployment: Deployment, { client, clock }: ReconcileContext): Promise<Deployment> {
  const condition = pauseCondition(deployment);
  if (!condition) return deployment;
  const progressing = { type: 'Progressing', status: 'Unknown', ...condition };
  const conditions = withCondition(deployment.status?.conditions ?? [], progressing, clock.now());
  return writeStatus(client, apps.deployments, deployment, { ...deployment.status, conditions });
}

async function scaleOnly(rollout: Rollout, sets: readonly ReplicaSet[], context: ReconcileContext) {
  const newSet = await rollout.ensureNewSet(sets, false);
  const old = others(sets, newSet);
  const { deployment } = rollout;
  for (const resize of sizesAfterScaling(deployment, newSet, old)) await rollout.resize(resize);
  if (deployment.spec.paused) await rollout.trimHistory(old.filter((set) => replicasOf(set) === 0));
  await rollout.writeStatus(deploymentStatus(deployment, newSet, old, context.clock.now()));
  return undefined;
}

async function roll(rollout: Rollout, sets: readonly ReplicaSet[], context: ReconcileContext) {
  const { deployment } = rollout;
  const newSet = await rollout.ensureNewSet(sets, true);
  if (!newSet) return undefined;
  const old = others(sets, newSet);
  const current = replicasOf(newSet);
  const wanted = replicasOf(deployment);
  const to =
    current > wanted ? wanted : current === wanted ? wanted : newSetSize(deployment, [...old, newSet], current);
  if (to !== current) {
    await rollout.resize({ set: newSet, to });
  } else {
    const shrinking = oldSetSizes(deployment, newSet, old);
    for (const resize of shrinking) await rollout.resize(resize);
    if (shrinking.length === 0 && isComplete(deployment, deployment.status ?? {})) await rollout.trimHistory(idle(old));
  }
  return syncStatus(rollout, newSet, old, context);
}

/** All old pods go before the first new one comes. */
async function recreate(rollout: Rollout, sets: readonly ReplicaSet[], context: ReconcileContext) {
  const { deployment } = rollout;
  const existing = await rollout.ensureNewSet(sets, false);
  const old = others(sets, existing);
  const active = old.filter((set) => replicasOf(set) > 0);
  if (active.length > 0) {
    for (const set of active) await rollout.resize({ set, to: 0 });
    return syncStatus(rollout, existing, old, context);
  }
  if (hasRunningPods(old, context.cache)) return syncStatus(rollout, existing, old, context);
  const newSet = existing ?? (await rollout.ensureNewSet(sets, true));
  if (!newSet) return undefined;
  await rollout.resize({ set: newSet, to: replicasOf(deployment) });
  if (isComplete(deployment, deployment.status ?? {})) await rollout.trimHistory(idle(old));
  return syncStatus(rollout, newSet, old, context);
}

function hasRunningPods(sets: readonly ReplicaSet[], cache: InformerCache): boolean {
  const pods = cache.informer(core.pods);
  return sets.some(({ metadata }) => pods.ownedBy(metadata.uid ?? '').some((pod) => !isPodFinished(pod)));
}

async function syncStatus(
  rollout: Rollout,
  newSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  { clock }: ReconcileContext,
): Promise<ReconcileResult> {
  const { deployment } = rollout;
  const now = clock.now();
  if (newSet && isUnseen(newSet, now)) return { requeueAfterMs: firstLookMs };
  let status = deploymentStatus(deployment, newSet, old, now);
  let conditions = status.conditions ?? [];
  if (newSet && hasDeadline(deployment) && !conditionOf(conditions, 'Progressing')) {
    const created = findNewSet(deployment, [newSet]) && (newSet.status?.observedGeneration ?? 0) === 0;
    const reason = created ? 'NewReplicaSetCreated' : 'FoundNewReplicaSet';
    const message = `${created ? 'Created' : 'Found'} new replica set "${newSet.metadata.name}"`;
    conditions = withCondition(conditions, { type: 'Progressing', status: 'True', reason, message }, now);
  }
  status = { ...status, conditions };
  conditions = progressConditions(deployment, status, newSet?.metadata.name, now);
  status = { ...status, conditions: withReplicaFailure(conditions, newSet, old, now) };
  await rollout.writeStatus(status);
  const wait = deadlineIn(deployment, status, now);
  return wait === undefined ? undefined : { requeueAfterMs: wait };
}

/** Whether the set was made just now and its own controller, which is about to say more, has not looked at it yet. */
function isUnseen({ metadata, status }: ReplicaSet, now: number): boolean {
  return status?.observedGeneration === undefined && now - timeOf(metadata.creationTimestamp) < firstLookMs;
}

const idle = (sets: readonly ReplicaSet[]) => sets.filter((set) => replicasOf(set) === 0);
const others = (sets: readonly ReplicaSet[], newSet: ReplicaSet | undefined) =>
  sets.filter((set) => set.metadata.uid !== newSet?.metadata.uid);

function keysOf(set: KubeObject, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  if (controllerOf(set)) return ownersOfType(set, apps.deployments);
  const { namespace = '', labels, deletionTimestamp } = set.metadata;
  if (deletionTimestamp) return [];
  return cache
    .informer(apps.deployments)
    .list(namespace)
    .filter(({ spec }) => selectorFor(spec.selector as LabelSelector).matches(labels))
    .map(({ metadata }) => ({ namespace, name: metadata.name ?? '' }));
}

/** A Recreate deployment waits for its last old pod to go; nothing else here follows single pods. */
function recreateKeysOf(pod: KubeObject, { cache }: { readonly cache: InformerCache }): readonly ObjectKey[] {
  const owner = controllerOf(pod);
  if (owner?.kind !== 'ReplicaSet') return [];
  const { namespace = '' } = pod.metadata;
  const set = cache.informer(apps.replicasets).get({ namespace, name: owner.name });
  const [key] = set ? ownersOfType(set, apps.deployments) : [];
  const deployment = key && cache.informer(apps.deployments).get(key);
  return deployment && !isRolling(deployment) ? [key] : [];
}

/** With its own status a look ends, unless that says that old ReplicaSets are not needed any more. */
function leadsOn(before: Deployment, next: Deployment): boolean {
  return isComplete(next, next.status ?? {}) || !isOwnStatus(before, next);
}

/** Rolls ReplicaSets forward and back as Deployments ask. */
export const deploymentController = controller<Deployment, [ReplicaSet, Pod]>({
  name: 'deployment-controller',
  for: { type: apps.deployments, predicate: { updated: leadsOn } },
  watches: [
    { type: apps.replicasets, map: keysOf },
    {
      type: core.pods,
      predicate: { created: () => false, updated: (before, pod) => isPodFinished(pod) && !isPodFinished(before) },
      map: recreateKeysOf,
    },
  ],
  concurrency: 5,
  reconcile,
});
