import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { podRevisionLabel } from '../history/revisions.ts';
import { scaledValue } from '../workload/int-or-percent.ts';
import { isPodAvailable, isPodFinished } from '../workload/pod-state.ts';
import { firstOrdinal, isOrdered, ordinalOf, replicasOf } from './identity.ts';

type StatefulSet = appsv1.StatefulSet;
type Pod = corev1.Pod;

export type Step =
  | { readonly do: 'create'; readonly ordinal: number; readonly revision: 'current' | 'update' }
  /** `scaled`: the pod is no longer wanted; otherwise it is to come back. */
  | { readonly do: 'delete'; readonly pod: Pod; readonly scaled: boolean; readonly why?: 'Failed' | 'Terminated' };

export interface SetFacts {
  readonly set: StatefulSet;
  readonly pods: readonly Pod[];
  readonly currentRevision: string;
  readonly updateRevision: string;
  readonly now: number;
}

/** What to do now, one step at a time for an ordered set, all that is possible for a parallel one. */
export function planSteps(facts: SetFacts): readonly Step[] {
  const { set } = facts;
  const ordered = isOrdered(set);
  const steps: Step[] = [];
  const wanted = slots(facts);
  for (const [ordinal, pod] of wanted) {
    if (!pod) steps.push({ do: 'create', ordinal, revision: revisionFor(facts, ordinal) });
    else if (isPodFinished(pod) && !pod.metadata.deletionTimestamp) {
      steps.push({ do: 'delete', pod, scaled: false, why: pod.status?.phase === 'Failed' ? 'Failed' : 'Terminated' });
    }
    if (ordered && (steps.length > 0 || !pod || !isHealthy(facts, pod))) return steps;
  }
  const condemned = condemnedPods(facts);
  const firstUnhealthy = condemned.findLast((pod) => !isHealthy(facts, pod));
  for (const pod of condemned) {
    if (pod.metadata.deletionTimestamp) {
      if (ordered) return steps;
      continue;
    }
    // A pod that is not well may be taken out of turn only if it is the lowest such one.
    if (ordered && !isHealthy(facts, pod) && pod !== firstUnhealthy) return steps;
    steps.push({ do: 'delete', pod, scaled: true });
    if (ordered) return steps;
  }
  if (steps.length > 0 || (set.spec.updateStrategy?.type ?? 'RollingUpdate') !== 'RollingUpdate') return steps;
  return rollingSteps(facts, [...wanted.values()]);
}

/** Deletes pods of another revision from the highest number down to the partition, a few at a time. */
function rollingSteps(facts: SetFacts, pods: readonly (Pod | undefined)[]): readonly Step[] {
  const { set, updateRevision } = facts;
  const { partition = 0, maxUnavailable } = set.spec.updateStrategy?.rollingUpdate ?? {};
  const allowed = Math.max(1, scaledValue(maxUnavailable ?? 1, replicasOf(set), 'up'));
  let unavailable = pods.filter((pod) => !pod || !isHealthy(facts, pod)).length;
  const steps: Step[] = [];
  for (let i = pods.length - 1; i >= partition; i--) {
    const pod = pods[i];
    if (!pod || pod.metadata.deletionTimestamp) continue;
    if (revisionOf(pod) === updateRevision) {
      // Wait for what was replaced before going on, unless more may be down at once.
      if (!isHealthy(facts, pod) && allowed === 1) return steps;
      continue;
    }
    // A broken pod costs no availability.
    const broken = !isHealthy(facts, pod);
    if (!broken && unavailable >= allowed) return steps;
    steps.push({ do: 'delete', pod, scaled: false });
    if (!broken) unavailable++;
    if (allowed === 1) return steps;
  }
  return steps;
}

/** Every number that should have a pod, in order, with the pod that has it. */
export function slots({ set, pods }: SetFacts): ReadonlyMap<number, Pod | undefined> {
  const start = firstOrdinal(set);
  const result = new Map<number, Pod | undefined>();
  for (let i = 0; i < replicasOf(set); i++) result.set(start + i, undefined);
  for (const pod of pods) {
    const ordinal = ordinalOf(set, pod);
    if (ordinal !== undefined && result.has(ordinal)) result.set(ordinal, pod);
  }
  return result;
}

/** Pods with numbers beyond what is wanted, highest first. */
export function condemnedPods({ set, pods }: SetFacts): readonly Pod[] {
  const start = firstOrdinal(set);
  const end = start + replicasOf(set);
  return pods
    .map((pod) => ({ pod, ordinal: ordinalOf(set, pod) }))
    .filter(({ ordinal }) => ordinal !== undefined && (ordinal < start || ordinal >= end))
    .sort((a, b) => (b.ordinal ?? 0) - (a.ordinal ?? 0))
    .map(({ pod }) => pod);
}

export const revisionOf = (pod: Pod): string => pod.metadata.labels?.[podRevisionLabel] ?? '';

function isHealthy({ set, now }: SetFacts, pod: Pod): boolean {
  if (pod.metadata.deletionTimestamp || pod.status?.phase !== 'Running') return false;
  return isPodAvailable(pod, set.spec.minReadySeconds ?? 0, now);
}

/** Numbers below the partition, or not yet reached by an update under way, keep the old template. */
function revisionFor({ set }: SetFacts, ordinal: number): 'current' | 'update' {
  const { type = 'RollingUpdate', rollingUpdate } = set.spec.updateStrategy ?? {};
  if (type !== 'RollingUpdate') return 'update';
  const kept = rollingUpdate ? (rollingUpdate.partition ?? 0) : (set.status?.currentReplicas ?? 0);
  return ordinal < firstOrdinal(set) + kept ? 'current' : 'update';
}
