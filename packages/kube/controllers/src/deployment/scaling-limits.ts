import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { scaledValue } from '../workload/int-or-percent.ts';

type Deployment = appsv1.Deployment;
type ReplicaSet = appsv1.ReplicaSet;

export const replicasOf = ({ spec }: Deployment | ReplicaSet): number => spec.replicas ?? 1;
export const isRolling = ({ spec }: Deployment): boolean =>
  (spec.strategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
export const sum = (sets: readonly ReplicaSet[], of: (set: ReplicaSet) => number): number =>
  sets.reduce((total, set) => total + of(set), 0);
export const available = ({ status }: ReplicaSet): number => status?.availableReplicas ?? 0;

/** maxSurge and maxUnavailable as numbers; both zero would never move, so one may then be unavailable. */
export function rollingLimits(deployment: Deployment): { readonly surge: number; readonly unavailable: number } {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment)) return { surge: 0, unavailable: 0 };
  const { maxSurge, maxUnavailable } = deployment.spec.strategy?.rollingUpdate ?? {};
  const surge = scaledValue(maxSurge ?? '25%', replicas, 'up');
  const unavailable = scaledValue(maxUnavailable ?? '25%', replicas, 'down');
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}

export function maxUnavailable(deployment: Deployment): number {
  const replicas = replicasOf(deployment);
  if (!isRolling(deployment) || replicas === 0) return 0;
  return Math.min(rollingLimits(deployment).unavailable, replicas);
}

/** How many pods the deployment may have at most; what `deployment.kubernetes.io/max-replicas` says. */
export function maxReplicas(deployment: Deployment): number {
  return replicasOf(deployment) + rollingLimits(deployment).surge;
}
