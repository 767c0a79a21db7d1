import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { formatTime } from '@hypershift-ts/kube-apimachinery';
import { isPodAvailable, isPodReady } from '../workload/pod-state.ts';
import { omitEmpty } from '../workload/status.ts';
import type { ReplicaStatus } from './replica-owner.ts';

export interface ReplicaFacts {
  readonly active: readonly corev1.Pod[];
  readonly terminating: number;
  readonly templateLabels: { readonly [key: string]: string };
  readonly minReadySeconds: number;
  readonly generation: number | undefined;
  /** Why pods could not be created or deleted this time. */
  readonly failure: { readonly reason: 'FailedCreate' | 'FailedDelete'; readonly message: string } | undefined;
  readonly now: number;
}

/** The status of a ReplicaSet (or ReplicationController) with these pods. */
export function replicaStatus(live: Partial<ReplicaStatus>, facts: ReplicaFacts): ReplicaStatus {
  const { active, minReadySeconds, now } = facts;
  const wanted = Object.entries(facts.templateLabels);
  return omitEmpty<ReplicaStatus>(
    {
      ...live,
      replicas: active.length,
      fullyLabeledReplicas: active.filter(({ metadata }) => wanted.every(([k, v]) => metadata.labels?.[k] === v))
        .length,
      readyReplicas: active.filter(isPodReady).length,
      availableReplicas: active.filter((pod) => isPodAvailable(pod, minReadySeconds, now)).length,
      terminatingReplicas: facts.terminating,
      ...(facts.generation === undefined ? {} : { observedGeneration: facts.generation }),
      conditions: conditions(live.conditions, facts),
    },
    ['replicas', 'terminatingReplicas'],
  );
}

function conditions(
  live: readonly appsv1.ReplicaSetCondition[] = [],
  { failure, now }: ReplicaFacts,
): readonly appsv1.ReplicaSetCondition[] {
  const existing = live.find(({ type }) => type === 'ReplicaFailure');
  if (!failure) return existing ? live.filter((condition) => condition !== existing) : live;
  if (existing?.status === 'True' && existing.reason === failure.reason) return live;
  return [
    ...live.filter((condition) => condition !== existing),
    { type: 'ReplicaFailure', status: 'True', lastTransitionTime: formatTime(now), ...failure },
  ];
}
