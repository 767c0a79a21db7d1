import type { batchv1 } from '@hypershift-ts/kube-apimachinery';
import { timeOf } from '../workload/pod-state.ts';
import { parseIndexes } from './indexes.ts';
import type { Ending } from './job-conditions.ts';

type Job = batchv1.Job;

export interface JobCounts {
  readonly active: number;
  readonly succeeded: number;
  readonly failed: number;
  /** Restarts of containers in pods that restart them in place. */
  readonly restarts: number;
  readonly completedIndexes: ReadonlySet<number>;
  readonly failedIndexes: ReadonlySet<number>;
  /** A pod failure that a rule says ends the job. */
  readonly failJob: string | undefined;
}

/** Whether the job is over, and how. */
export function endingOf(job: Job, counts: JobCounts, now: number): Ending | undefined {
  const { spec, status } = job;
  const failure = (reason: string, message: string): Ending => ({ success: false, reason, message });
  if (counts.failJob !== undefined) return failure('PodFailurePolicy', counts.failJob);
  const success = successOf(job, counts);
  if (success) return success;
  const limit = spec.backoffLimit ?? 6;
  const exceeded =
    counts.failed > limit ||
    (spec.template.spec.restartPolicy === 'OnFailure' && tooManyRestarts(limit, counts.restarts));
  if (exceeded) return failure('BackoffLimitExceeded', 'Job has reached the specified backoff limit');
  if (!spec.suspend && spec.activeDeadlineSeconds !== undefined && status?.startTime) {
    if (now - timeOf(status.startTime) >= spec.activeDeadlineSeconds * 1000) {
      return failure('DeadlineExceeded', 'Job was active longer than specified deadline');
    }
  }
  if (spec.maxFailedIndexes !== undefined && counts.failedIndexes.size > spec.maxFailedIndexes) {
    return failure('MaxFailedIndexesExceeded', 'Job has exceeded the specified maximal number of failed indexes');
  }
  const finished = counts.completedIndexes.size + counts.failedIndexes.size;
  if (
    counts.failedIndexes.size > 0 &&
    counts.active === 0 &&
    finished >= (spec.completions ?? Number.POSITIVE_INFINITY)
  ) {
    return failure('FailedIndexes', 'Job has failed indexes');
  }
  return undefined;
}

function tooManyRestarts(limit: number, restarts: number): boolean {
  return limit === 0 ? restarts > 0 : restarts >= limit;
}

function successOf({ spec }: Job, counts: JobCounts): Ending | undefined {
  const rules = spec.successPolicy?.rules ?? [];
  const matched = rules.findIndex((rule) => meetsRule(rule, spec.completions ?? 0, counts.completedIndexes));
  if (matched >= 0) {
    return { success: true, reason: 'SuccessPolicy', message: `Matched rules at index ${matched}` };
  }
  const done =
    spec.completions === undefined ? counts.succeeded > 0 && counts.active === 0 : counts.succeeded >= spec.completions;
  const message = 'Reached expected number of succeeded pods';
  return done ? { success: true, reason: 'CompletionsReached', message } : undefined;
}

function meetsRule(rule: batchv1.SuccessPolicyRule, completions: number, completed: ReadonlySet<number>): boolean {
  const wanted = rule.succeededIndexes === undefined ? undefined : parseIndexes(rule.succeededIndexes, completions);
  const hits = wanted ? [...wanted].filter((index) => completed.has(index)).length : completed.size;
  if (rule.succeededCount !== undefined) return hits >= rule.succeededCount;
  return wanted !== undefined && hits >= wanted.size;
}
