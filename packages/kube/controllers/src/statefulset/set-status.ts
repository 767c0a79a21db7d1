import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import { isPodAvailable, isPodReady } from '../workload/pod-state.ts';
import { omitEmpty } from '../workload/status.ts';
import { replicasOf } from './identity.ts';
import type { SetFacts } from './plan.ts';
import { revisionOf } from './plan.ts';

type Status = appsv1.StatefulSetStatus;

/** The status of a set with these pods; a finished update makes the new revision the current one. */
export function setStatus(facts: SetFacts, collisionCount: number | undefined): Status {
  const { set, pods, updateRevision, now } = facts;
  let { currentRevision } = facts;
  const running = pods.filter(({ status }) => status?.phase === 'Running');
  const alive = pods.filter(({ metadata }) => !metadata.deletionTimestamp);
  const updatedReplicas = alive.filter((pod) => revisionOf(pod) === updateRevision).length;
  let currentReplicas = alive.filter((pod) => revisionOf(pod) === currentRevision).length;
  const readyReplicas = running.filter(isPodReady).length;
  const wanted = replicasOf(set);
  const isRolling = (set.spec.updateStrategy?.type ?? 'RollingUpdate') === 'RollingUpdate';
  if (isRolling && updatedReplicas === wanted && readyReplicas === wanted && pods.length === wanted) {
    currentRevision = updateRevision;
    currentReplicas = updatedReplicas;
  }
  return omitEmpty<Status>(
    {
      observedGeneration: set.metadata.generation ?? 0,
      replicas: pods.length,
      readyReplicas,
      availableReplicas: running.filter((pod) => isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now)).length,
      currentReplicas,
      updatedReplicas,
      currentRevision,
      updateRevision,
      ...(set.status?.conditions ? { conditions: set.status.conditions } : {}),
      collisionCount: collisionCount ?? 0,
    },
    ['replicas', 'availableReplicas', 'collisionCount'],
  );
}
