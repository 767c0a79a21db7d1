import type { Condition } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual } from '@hypershift-ts/kube-apimachinery';

/** Conditions that belong to the Job controller; a reporter must neither drop nor write them. */
const KUBERNETES = new Set(['Complete', 'Failed', 'Suspended', 'FailureTarget', 'SuccessCriteriaMet']);

/** A Job's conditions with those of the adapter; undefined when nothing would change. */
export function mergedConditions(
  existing: readonly Condition[],
  reported: readonly Condition[],
): readonly Condition[] | undefined {
  const wanted = reported.filter(({ type }) => !KUBERNETES.has(type));
  const others = existing.filter((one) => KUBERNETES.has(one.type) || !wanted.some(({ type }) => type === one.type));
  const next = wanted.map((condition) => {
    const before = existing.find(({ type }) => type === condition.type);
    const isSame = before?.status === condition.status && before.lastTransitionTime !== undefined;
    return isSame ? { ...condition, lastTransitionTime: before.lastTransitionTime! } : condition;
  });
  const merged = [...others, ...next];
  const isKnown = next.every((one) => existing.some((before) => jsonEqual(before, one)));
  return isKnown && merged.length === existing.length ? undefined : merged;
}

export type FailureReason =
  | 'AdapterOOMKilled'
  | 'AdapterExitedWithError'
  | 'AdapterMissingResults'
  | 'AdapterTimeout'
  | 'InvalidResultFormat';

/** What to report when the adapter did not: one condition, or all that are expected of it. */
export function failureConditions(
  reason: FailureReason,
  message: string,
  settings: { readonly conditionType: string; readonly reportsMany: boolean },
  now: string,
): readonly Condition[] {
  const types = settings.reportsMany ? ['Applied', 'Available', 'Health'] : [settings.conditionType];
  return types.map((type) => ({ type, status: 'False' as const, lastTransitionTime: now, reason, message }));
}
