import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { olderFirst } from '../workload/pod-state.ts';
import { annotationNames } from './revision.ts';
import type { Resize } from './rolling-update.ts';
import { available, isRolling, maxReplicas, replicasOf, sum } from './scaling-limits.ts';

type Deployment = appsv1.Deployment;
type ReplicaSet = appsv1.ReplicaSet;

/** Whether a ReplicaSet was last sized for another number of replicas than the deployment has now. */
export function isScalingEvent(deployment: Deployment, sets: readonly ReplicaSet[]): boolean {
  return sets
    .filter((set) => replicasOf(set) > 0)
    .some((set) => {
      const desired = Number(set.metadata.annotations?.[annotationNames.desiredReplicas]);
      return Number.isInteger(desired) && desired !== replicasOf(deployment);
    });
}

/** New sizes after the deployment was scaled, also in the middle of a rollout or while paused. */
export function sizesAfterScaling(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
): readonly Resize[] {
  const wanted = replicasOf(deployment);
  const only = activeOrLatest(newSet, old);
  if (only) return replicasOf(only) === wanted ? [] : [{ set: only, to: wanted }];
  const all = newSet ? [...old, newSet] : [...old];
  const active = all.filter((set) => replicasOf(set) > 0);
  if (newSet && isSaturated(deployment, newSet)) {
    return active.filter((set) => set !== newSet).map((set) => ({ set, to: 0 }));
  }
  return isRolling(deployment) ? proportional(deployment, active) : [];
}

/** The one ReplicaSet to scale when there is no choice: the only active one, or without any the newest. */
function activeOrLatest(newSet: ReplicaSet | undefined, old: readonly ReplicaSet[]): ReplicaSet | undefined {
  const active = [...old, ...(newSet ? [newSet] : [])].filter((set) => replicasOf(set) > 0);
  if (active.length > 1) return undefined;
  return active[0] ?? newSet ?? [...old].sort(olderFirst).at(-1);
}

function isSaturated(deployment: Deployment, set: ReplicaSet): boolean {
  const wanted = replicasOf(deployment);
  const desired = Number(set.metadata.annotations?.[annotationNames.desiredReplicas]);
  return replicasOf(set) === wanted && desired === wanted && available(set) === wanted;
}

function proportional(deployment: Deployment, active: readonly ReplicaSet[]): readonly Resize[] {
  const wanted = replicasOf(deployment);
  const toAdd = (wanted > 0 ? maxReplicas(deployment) : 0) - sum(active, replicasOf);
  const sorted = [...active].sort((a, b) => {
    const bySize = replicasOf(b) - replicasOf(a);
    if (bySize !== 0) return bySize;
    return toAdd > 0 ? olderFirst(b, a) : olderFirst(a, b);
  });
  let added = 0;
  const sizes = sorted.map((set) => {
    const share = shareOf(deployment, set, toAdd, added);
    added += share;
    return { set, to: replicasOf(set) + share };
  });
  // What rounding left over goes to the largest.
  return sizes.map(({ set, to }, index) => ({ set, to: Math.max(0, index === 0 ? to + toAdd - added : to) }));
}

function shareOf(deployment: Deployment, set: ReplicaSet, toAdd: number, added: number): number {
  const size = replicasOf(set);
  if (size === 0 || toAdd === 0 || toAdd === added) return 0;
  const before = Number(set.metadata.annotations?.[annotationNames.maxReplicas]) || maxReplicas(deployment);
  const wanted = replicasOf(deployment);
  const fraction = wanted === 0 ? -size : Math.round((size * maxReplicas(deployment)) / before) - size;
  const left = toAdd - added;
  return toAdd > 0 ? Math.min(fraction, left) : Math.max(fraction, left);
}
