import type { batchv1 } from '@hypershift-ts/kube-apimachinery';
import { findCondition, formatTime, isConditionTrue } from '@hypershift-ts/kube-apimachinery';

type Condition = batchv1.JobCondition;
type Job = batchv1.Job;

/** Why a job ends, or that it has reached its aim. */
export interface Ending {
  readonly success: boolean;
  readonly reason: string;
  readonly message: string;
}

export function isJobFinished({ status }: Job): boolean {
  return isConditionTrue(status?.conditions, 'Complete') || isConditionTrue(status?.conditions, 'Failed');
}

export function withJobCondition(
  conditions: readonly Condition[],
  wanted: { readonly type: string; readonly status: string; readonly reason: string; readonly message: string },
  now: number,
): readonly Condition[] {
  const existing = findCondition(conditions, wanted.type);
  if (existing?.status === wanted.status && existing.reason === wanted.reason && existing.message === wanted.message) {
    return conditions;
  }
  const time = formatTime(now);
  const lastTransitionTime = existing?.status === wanted.status ? (existing.lastTransitionTime ?? time) : time;
  const next: Condition = { ...wanted, lastProbeTime: time, lastTransitionTime };
  return existing ? conditions.map((one) => (one === existing ? next : one)) : [...conditions, next];
}

/** An ending that was decided earlier and is being carried out. */
export function decidedEnding(conditions: readonly Condition[] | undefined): Ending | undefined {
  for (const [type, success] of [
    ['FailureTarget', false],
    ['SuccessCriteriaMet', true],
  ] as const) {
    const condition = conditions?.find((one) => one.type === type && one.status === 'True');
    if (condition) return { success, reason: condition.reason ?? '', message: condition.message ?? '' };
  }
  return undefined;
}
