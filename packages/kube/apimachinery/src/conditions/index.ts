import type { Condition } from '../object.ts';

/** Conditions as values: every change gives a new list, and no change gives the same one. */

/** Enough of a condition to judge it; kinds that are older than the common form have other fields beside these. */
type AnyCondition = { readonly type: string; readonly status: string };

export function findCondition<T extends { readonly type: string }>(
  conditions: readonly T[] | undefined,
  type: string,
): T | undefined {
  return conditions?.find((condition) => condition.type === type);
}

export function hasConditionStatus(
  conditions: readonly AnyCondition[] | undefined,
  type: string,
  status: Condition['status'],
): boolean {
  return findCondition(conditions, type)?.status === status;
}

export function isConditionTrue(conditions: readonly AnyCondition[] | undefined, type: string): boolean {
  return hasConditionStatus(conditions, type, 'True');
}

export function isConditionFalse(conditions: readonly AnyCondition[] | undefined, type: string): boolean {
  return hasConditionStatus(conditions, type, 'False');
}

function updated<T extends Condition>(existing: T, wanted: T, now: string): T {
  const moved = existing.status !== wanted.status;
  const lastTransitionTime = moved ? (wanted.lastTransitionTime ?? now) : existing.lastTransitionTime;
  const next: T = { ...wanted, ...(lastTransitionTime === undefined ? {} : { lastTransitionTime }) };
  const keys = new Set([...Object.keys(existing), ...Object.keys(next)]) as Set<keyof T>;
  for (const key of keys) if (existing[key] !== next[key]) return next;
  return existing;
}

/**
 * Sets one condition. `lastTransitionTime` moves (to the given time, or to `now`) only when the status changes. Returns
 * the same list when the condition already is as wanted.
 */
export function setCondition<T extends Condition>(
  conditions: readonly T[] | undefined,
  wanted: T,
  now: string,
): readonly T[] {
  const list = conditions ?? [];
  const index = list.findIndex((condition) => condition.type === wanted.type);
  const existing = list[index];
  if (existing === undefined) {
    return [...list, { ...wanted, lastTransitionTime: wanted.lastTransitionTime ?? now }];
  }
  const next = updated(existing, wanted, now);
  return next === existing ? list : list.with(index, next);
}

/** Sets several conditions, in order. */
export function setConditions<T extends Condition>(
  conditions: readonly T[] | undefined,
  wanted: readonly T[],
  now: string,
): readonly T[] {
  return wanted.reduce<readonly T[]>((list, condition) => setCondition(list, condition, now), conditions ?? []);
}

/** The list without the condition; the same list when it was not there. */
export function removeCondition<T extends Condition>(conditions: readonly T[] | undefined, type: string): readonly T[] {
  const list = conditions ?? [];
  return list.some((condition) => condition.type === type) ? list.filter((condition) => condition.type !== type) : list;
}
