import type { batchv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { indexOf, isIndexed } from './job-pods.ts';
import type { Tally } from './tally.ts';
import { replacementPolicy } from './tally.ts';

type Job = batchv1.Job;

/** How many pods should be at work now. */
function wantedActive(job: Job, tally: Tally): number {
  const { parallelism = 1, completions } = job.spec;
  // Without a fixed number of completions the first success tells the others that the work is done.
  if (completions === undefined) return tally.succeeded > 0 ? Math.min(tally.active, parallelism) : parallelism;
  const finished = tally.succeeded + (job.spec.backoffLimitPerIndex === undefined ? 0 : tally.failedIndexes.size);
  return Math.max(0, Math.min(completions - finished, parallelism));
}

/** How many pods to add; with policy Failed a pod on its way out still holds its place. */
export function missingPods(job: Job, tally: Tally): number {
  const holding = replacementPolicy(job) === 'Failed' ? tally.terminating : 0;
  return wantedActive(job, tally) - tally.active - holding;
}

/** The lowest indexes that nobody works on. */
export function freeIndexes(job: Job, tally: Tally, pods: readonly corev1.Pod[], count: number): readonly number[] {
  if (!isIndexed(job)) return [];
  const taken = new Set<number | undefined>(tally.activePods.map(indexOf));
  if (replacementPolicy(job) === 'Failed') {
    for (const pod of pods)
      if (pod.status?.phase !== 'Failed' && pod.status?.phase !== 'Succeeded') taken.add(indexOf(pod));
  }
  const free: number[] = [];
  for (let index = 0; index < (job.spec.completions ?? 0) && free.length < count; index++) {
    if (!taken.has(index) && !tally.completedIndexes.has(index) && !tally.failedIndexes.has(index)) free.push(index);
  }
  return free;
}
