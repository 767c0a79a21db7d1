import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { timeOf } from '../workload/pod-state.ts';

type Pod = corev1.Pod;

const firstMs = 10_000;
const maxMs = 600_000;

/** When a pod's last container ended, or what comes nearest to it. */
function finishedAt(pod: Pod): number {
  const ends = (pod.status?.containerStatuses ?? []).map(({ state }) => timeOf(state?.terminated?.finishedAt));
  const latest = Math.max(0, ...ends);
  if (latest > 0) return latest;
  const ready = findCondition(pod.status?.conditions, 'Ready');
  return (
    timeOf(ready?.lastTransitionTime) ||
    timeOf(pod.metadata.deletionTimestamp) ||
    timeOf(pod.metadata.creationTimestamp)
  );
}

/** How a job's failures in a row are remembered: a success starts it over. */
export interface FailureStreak {
  readonly failures: number;
  readonly lastFailureMs: number;
}

export function extendStreak(
  streak: FailureStreak | undefined,
  succeeded: readonly Pod[],
  failed: readonly Pod[],
): FailureStreak {
  const lastSuccess = Math.max(0, ...succeeded.map(finishedAt));
  let failures = lastSuccess > 0 ? 0 : (streak?.failures ?? 0);
  let lastFailureMs = streak?.lastFailureMs ?? 0;
  for (const pod of failed) {
    const ended = finishedAt(pod);
    if (ended >= lastSuccess) failures++;
    lastFailureMs = Math.max(lastFailureMs, ended);
  }
  return { failures, lastFailureMs };
}

/** Milliseconds until the next pod may be tried: 10 s after the first failure, doubling up to 10 minutes. */
export function backOffIn(streak: FailureStreak | undefined, now: number): number {
  if (!streak || streak.failures === 0) return 0;
  const pause = Math.min(maxMs, firstMs * 2 ** Math.min(streak.failures - 1, 20));
  return Math.max(0, streak.lastFailureMs + pause - now);
}
