import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { olderFirst } from '../workload/pod-state.ts';
import { available, isRolling, maxUnavailable, replicasOf, rollingLimits, sum } from './scaling-limits.ts';

type Deployment = appsv1.Deployment;
type ReplicaSet = appsv1.ReplicaSet;

/** A ReplicaSet and the size it should get. */
export interface Resize {
  readonly set: ReplicaSet;
  readonly to: number;
}

/** The size of the new ReplicaSet now: as large as wanted and as the surge leaves room for. */
export function newSetSize(deployment: Deployment, all: readonly ReplicaSet[], current: number): number {
  const wanted = replicasOf(deployment);
  if (!isRolling(deployment)) return wanted;
  const room = wanted + rollingLimits(deployment).surge - sum(all, replicasOf);
  if (room <= 0) return current;
  return current + Math.min(room, wanted - current);
}

/** Which old ReplicaSets may shrink without going below the availability that was promised. */
export function oldSetSizes(deployment: Deployment, newSet: ReplicaSet, old: readonly ReplicaSet[]): readonly Resize[] {
  const all = [...old, newSet];
  if (sum(old, replicasOf) === 0) return [];
  const minAvailable = replicasOf(deployment) - maxUnavailable(deployment);
  const newUnavailable = replicasOf(newSet) - available(newSet);
  let spare = sum(all, replicasOf) - minAvailable - newUnavailable;
  if (spare <= 0) return [];
  const sizes = new Map<ReplicaSet, number>();
  const sorted = [...old].sort(olderFirst);
  // Pods that serve nobody go first: they free room without costing availability.
  for (const set of sorted) {
    const unhealthy = Math.min(spare, replicasOf(set) - available(set));
    if (unhealthy <= 0) continue;
    sizes.set(set, replicasOf(set) - unhealthy);
    spare -= unhealthy;
  }
  let extra = sum(all, available) - minAvailable;
  for (const set of sorted) {
    const size = sizes.get(set) ?? replicasOf(set);
    const fewer = Math.min(size, extra);
    if (fewer <= 0) continue;
    sizes.set(set, size - fewer);
    extra -= fewer;
  }
  return [...sizes].map(([set, to]) => ({ set, to }));
}
