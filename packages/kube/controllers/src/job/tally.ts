import type { batchv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { isPodActive, isPodReady, isPodTerminating } from '../workload/pod-state.ts';
import type { JobCounts } from './ending.ts';
import { parseIndexes } from './indexes.ts';
import { indexFailures, indexOf, isIndexed, isTracked } from './job-pods.ts';
import { judgeFailure } from './pod-failure-policy.ts';

type Job = batchv1.Job;
type Pod = corev1.Pod;

/** A job's pods sorted by what they mean for it. */
export interface Tally extends JobCounts {
  readonly activePods: readonly Pod[];
  readonly ready: number;
  readonly terminating: number;
  /** Finished pods nobody has counted yet; `failed` without those the job's rules say to ignore. */
  readonly fresh: {
    readonly succeeded: readonly Pod[];
    readonly failed: readonly Pod[];
    readonly ignored: readonly Pod[];
  };
}

/** Pods that are deleted count as failed at once, unless replacements must wait until they have really ended. */
function isFailed(job: Job, pod: Pod): boolean {
  if (pod.status?.phase === 'Failed') return true;
  if (pod.status?.phase === 'Succeeded' || !pod.metadata.deletionTimestamp) return false;
  return replacementPolicy(job) === 'TerminatingOrFailed';
}

export function replacementPolicy({ spec }: Job): string {
  return spec.podReplacementPolicy ?? (spec.podFailurePolicy ? 'Failed' : 'TerminatingOrFailed');
}

export function tallyPods(job: Job, pods: readonly Pod[]): Tally {
  const { spec, status } = job;
  const uncounted = status?.uncountedTerminatedPods ?? {};
  const known = new Set([...(uncounted.succeeded ?? []), ...(uncounted.failed ?? [])]);
  const limit = spec.completions ?? 0;
  const completedIndexes = isIndexed(job) ? parseIndexes(status?.completedIndexes, limit) : new Set<number>();
  const failedIndexes = parseIndexes(status?.failedIndexes, limit);
  const fresh = { succeeded: [] as Pod[], failed: [] as Pod[], ignored: [] as Pod[] };
  let failJob: string | undefined;
  for (const pod of pods) {
    const isNew = isTracked(pod) && !known.has(pod.metadata.uid ?? '');
    if (pod.status?.phase === 'Succeeded') {
      const index = indexOf(pod);
      if (isIndexed(job) && (index === undefined || index >= limit)) continue;
      // Each index counts once however many pods finished it.
      if (index !== undefined && isIndexed(job)) completedIndexes.add(index);
      if (isNew) fresh.succeeded.push(pod);
    } else if (isFailed(job, pod)) {
      const verdict = judgeFailure(spec.podFailurePolicy, pod);
      if (verdict.action === 'FailJob' && isTracked(pod)) failJob ??= verdict.message;
      const index = indexOf(pod);
      if (index !== undefined && spec.backoffLimitPerIndex !== undefined) {
        const used = indexFailures(pod) + (verdict.counts ? 1 : 0);
        if (verdict.action === 'FailIndex' || used > spec.backoffLimitPerIndex) failedIndexes.add(index);
      }
      if (isNew) (verdict.counts ? fresh.failed : fresh.ignored).push(pod);
    }
  }
  for (const index of completedIndexes) failedIndexes.delete(index);
  const activePods = pods.filter(isPodActive);
  const counted = (status?.succeeded ?? 0) + (uncounted.succeeded?.length ?? 0) + fresh.succeeded.length;
  return {
    activePods,
    active: activePods.length,
    ready: activePods.filter(isPodReady).length,
    terminating: pods.filter(isPodTerminating).length,
    succeeded: isIndexed(job) ? completedIndexes.size : counted,
    failed: (status?.failed ?? 0) + (uncounted.failed?.length ?? 0) + fresh.failed.length,
    restarts: restartsOf(pods),
    completedIndexes,
    failedIndexes,
    failJob,
    fresh,
  };
}

function restartsOf(pods: readonly Pod[]): number {
  let restarts = 0;
  for (const { status } of pods) {
    if (status?.phase !== 'Running' && status?.phase !== 'Pending') continue;
    for (const { restartCount } of [...(status.initContainerStatuses ?? []), ...(status.containerStatuses ?? [])]) {
      restarts += restartCount;
    }
  }
  return restarts;
}
