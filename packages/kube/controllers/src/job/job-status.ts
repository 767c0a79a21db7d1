import type { batchv1 } from '@hypershift-ts/kube-apimachinery';
import { formatIndexes } from './indexes.ts';
import { isIndexed } from './job-pods.ts';
import type { Tally } from './tally.ts';

type Job = batchv1.Job;
type Status = batchv1.JobStatus;

/** The counts that can be seen at any time. */
export function visibleCounts(job: Job, tally: Tally): Partial<Status> {
  return {
    active: tally.active,
    ready: tally.ready,
    terminating: tally.terminating,
    ...(isIndexed(job) ? { completedIndexes: formatIndexes(tally.completedIndexes) } : {}),
    ...(job.spec.backoffLimitPerIndex === undefined ? {} : { failedIndexes: formatIndexes(tally.failedIndexes) }),
  };
}

/** With the newly finished pods noted down, before their finalizers go: the promise to count them exactly once. */
export function withUncounted(status: Status, tally: Tally): Status {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  const uids = (pods: Tally['fresh']['failed']) => pods.map(({ metadata }) => metadata.uid ?? '');
  return {
    ...status,
    uncountedTerminatedPods: {
      ...nonEmpty('succeeded', [...succeeded, ...uids(tally.fresh.succeeded)]),
      ...nonEmpty('failed', [...failed, ...uids(tally.fresh.failed)]),
    },
  };
}

/** With everything that was noted down counted. */
export function countedStatus(job: Job, status: Status, tally: Tally): Status {
  const { succeeded = [], failed = [] } = status.uncountedTerminatedPods ?? {};
  return {
    ...status,
    uncountedTerminatedPods: {},
    succeeded: isIndexed(job) ? tally.completedIndexes.size : (status.succeeded ?? 0) + succeeded.length,
    failed: (status.failed ?? 0) + failed.length,
  };
}

function nonEmpty(name: string, list: readonly string[]): { readonly [name: string]: readonly string[] } {
  return list.length > 0 ? { [name]: list } : {};
}

/** As Go writes it: without zeros and empty texts, apart from the fields that are pointers there. */
export function tidy(status: Status): Status {
  const result: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(status)) {
    if (value === undefined || value === '') continue;
    if (value === 0 && !['ready', 'terminating'].includes(key)) continue;
    if (Array.isArray(value) && value.length === 0) continue;
    result[key] = value;
  }
  return result as Status;
}
