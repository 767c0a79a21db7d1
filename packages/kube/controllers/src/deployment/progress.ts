import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import { timeOf } from '../workload/pod-state.ts';
import { replicasOf } from './scaling-limits.ts';

type Deployment = appsv1.Deployment;
type DeploymentStatus = appsv1.DeploymentStatus;
export type DeploymentCondition = appsv1.DeploymentCondition;

/** A deadline of this many seconds is none: what old clients wrote for "wait for ever". */
const noDeadline = 0x7fffffff;

export function hasDeadline({ spec }: Deployment): boolean {
  return spec.progressDeadlineSeconds !== undefined && spec.progressDeadlineSeconds !== noDeadline;
}

export function conditionOf(conditions: readonly DeploymentCondition[] | undefined, type: string) {
  return conditions?.find((condition) => condition.type === type);
}

/** Puts a condition in; one with the same status and reason stays as it is, transition time included. */
export function withCondition(
  conditions: readonly DeploymentCondition[],
  wanted: { readonly type: string; readonly status: string; readonly reason: string; readonly message: string },
  now: number,
): readonly DeploymentCondition[] {
  const existing = conditionOf(conditions, wanted.type);
  if (existing?.status === wanted.status && existing.reason === wanted.reason) return conditions;
  const time = formatTime(now);
  const lastTransitionTime = existing?.status === wanted.status ? (existing.lastTransitionTime ?? time) : time;
  return [
    ...conditions.filter((condition) => condition !== existing),
    { ...wanted, lastUpdateTime: time, lastTransitionTime },
  ];
}

/** All pods are of the new template, none is left over, and all are available. */
export function isComplete(deployment: Deployment, status: DeploymentStatus): boolean {
  const wanted = replicasOf(deployment);
  return (
    (status.updatedReplicas ?? 0) === wanted &&
    (status.replicas ?? 0) === wanted &&
    (status.availableReplicas ?? 0) === wanted &&
    (status.observedGeneration ?? 0) >= (deployment.metadata.generation ?? 0)
  );
}

function isProgressing(before: DeploymentStatus, next: DeploymentStatus): boolean {
  const old = (status: DeploymentStatus) => (status.replicas ?? 0) - (status.updatedReplicas ?? 0);
  return (
    (next.updatedReplicas ?? 0) > (before.updatedReplicas ?? 0) ||
    old(next) < old(before) ||
    (next.readyReplicas ?? 0) > (before.readyReplicas ?? 0) ||
    (next.availableReplicas ?? 0) > (before.availableReplicas ?? 0)
  );
}

function isTimedOut(deployment: Deployment, next: DeploymentStatus, now: number): boolean {
  const condition = conditionOf(next.conditions, 'Progressing');
  if (!condition || !hasDeadline(deployment) || condition.reason === 'NewReplicaSetAvailable') return false;
  if (condition.reason === 'ProgressDeadlineExceeded') return true;
  return timeOf(condition.lastUpdateTime) + (deployment.spec.progressDeadlineSeconds ?? 0) * 1000 < now;
}

/** The conditions with Progressing brought up to date; `next` has the new counts and the old Progressing. */
export function progressConditions(
  deployment: Deployment,
  next: DeploymentStatus,
  newSetName: string | undefined,
  now: number,
): readonly DeploymentCondition[] {
  const conditions = next.conditions ?? [];
  const current = conditionOf(deployment.status?.conditions, 'Progressing');
  const finished = next.replicas === next.updatedReplicas && current?.reason === 'NewReplicaSetAvailable';
  if (!hasDeadline(deployment) || finished) return conditions;
  const what = newSetName ? `ReplicaSet "${newSetName}"` : `Deployment "${deployment.metadata.name}"`;
  const progressing = (status: string, reason: string, message: string) =>
    withCondition(conditions, { type: 'Progressing', status, reason, message: `${what} ${message}` }, now);
  if (isComplete(deployment, next))
    return progressing('True', 'NewReplicaSetAvailable', 'has successfully progressed.');
  if (isProgressing(deployment.status ?? {}, next)) {
    // The update time must move with every step, because the deadline is counted from it.
    const others = conditions.filter(({ type }) => type !== 'Progressing');
    const time = formatTime(now);
    const lastTransitionTime = current?.status === 'True' ? (current.lastTransitionTime ?? time) : time;
    const message = `${what} is progressing.`;
    const updated = { type: 'Progressing', status: 'True', reason: 'ReplicaSetUpdated', message };
    return [...others, { ...updated, lastUpdateTime: time, lastTransitionTime }];
  }
  if (isTimedOut(deployment, next, now)) {
    return progressing('False', 'ProgressDeadlineExceeded', 'has timed out progressing.');
  }
  return conditions;
}

/** Milliseconds until the deadline could pass, when nothing else would wake the controller by then. */
export function deadlineIn(deployment: Deployment, status: DeploymentStatus, now: number): number | undefined {
  const condition = conditionOf(status.conditions, 'Progressing');
  if (!condition || !hasDeadline(deployment) || isComplete(deployment, status)) return undefined;
  if (condition.reason === 'ProgressDeadlineExceeded' || condition.reason === 'NewReplicaSetAvailable')
    return undefined;
  if (deployment.spec.paused) return undefined;
  const due = timeOf(condition.lastUpdateTime) + (deployment.spec.progressDeadlineSeconds ?? 0) * 1000;
  return Math.max(0, due - now) + 1000;
}

/** Whether the deployment's pause is told in its conditions; undefined when they say the right thing already. */
export function pauseCondition(
  deployment: Deployment,
): { readonly reason: string; readonly message: string } | undefined {
  if (!hasDeadline(deployment)) return undefined;
  const current = conditionOf(deployment.status?.conditions, 'Progressing');
  if (current?.reason === 'ProgressDeadlineExceeded') return undefined;
  const told = current?.reason === 'DeploymentPaused';
  if (deployment.spec.paused && !told) return { reason: 'DeploymentPaused', message: 'Deployment is paused' };
  if (!deployment.spec.paused && told) return { reason: 'DeploymentResumed', message: 'Deployment is resumed' };
  return undefined;
}
