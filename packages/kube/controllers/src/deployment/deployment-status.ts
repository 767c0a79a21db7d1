import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { omitEmpty } from '../workload/status.ts';
import type { DeploymentCondition } from './progress.ts';
import { withCondition } from './progress.ts';
import { available, maxUnavailable, replicasOf, sum } from './scaling-limits.ts';

type Deployment = appsv1.Deployment;
type DeploymentStatus = appsv1.DeploymentStatus;
type ReplicaSet = appsv1.ReplicaSet;

/** Counts and availability from the ReplicaSets; Progressing is left as it was. */
export function deploymentStatus(
  deployment: Deployment,
  newSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  now: number,
): DeploymentStatus {
  const all = newSet ? [...old, newSet] : old;
  const availableReplicas = sum(all, available);
  const enough = availableReplicas >= replicasOf(deployment) - maxUnavailable(deployment);
  const conditions = withCondition(
    deployment.status?.conditions ?? [],
    enough
      ? {
          type: 'Available',
          status: 'True',
          reason: 'MinimumReplicasAvailable',
          message: 'Deployment has minimum availability.',
        }
      : {
          type: 'Available',
          status: 'False',
          reason: 'MinimumReplicasUnavailable',
          message: 'Deployment does not have minimum availability.',
        },
    now,
  );
  const { collisionCount } = deployment.status ?? {};
  return omitEmpty<DeploymentStatus>(
    {
      observedGeneration: deployment.metadata.generation ?? 0,
      replicas: sum(all, ({ status }) => status?.replicas ?? 0),
      updatedReplicas: newSet?.status?.replicas ?? 0,
      readyReplicas: sum(all, ({ status }) => status?.readyReplicas ?? 0),
      availableReplicas,
      unavailableReplicas: Math.max(0, sum(all, replicasOf) - availableReplicas),
      terminatingReplicas: sum(all, ({ status }) => status?.terminatingReplicas ?? 0),
      ...(collisionCount === undefined ? {} : { collisionCount }),
      conditions,
    },
    ['terminatingReplicas'],
  );
}

/** ReplicaFailure as the ReplicaSets report it: the new one's word counts, the old ones' only without it. */
export function withReplicaFailure(
  conditions: readonly DeploymentCondition[],
  newSet: ReplicaSet | undefined,
  old: readonly ReplicaSet[],
  now: number,
): readonly DeploymentCondition[] {
  const failureOf = (set: ReplicaSet) => set.status?.conditions?.find(({ type }) => type === 'ReplicaFailure');
  const failure = (newSet && failureOf(newSet)) ?? old.map(failureOf).find(Boolean);
  if (!failure) return conditions.filter(({ type }) => type !== 'ReplicaFailure');
  const { status = 'True', reason = '', message = '' } = failure;
  return withCondition(conditions, { type: 'ReplicaFailure', status, reason, message }, now);
}
