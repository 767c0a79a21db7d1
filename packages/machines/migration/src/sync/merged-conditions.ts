interface AnyCondition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
  readonly lastTransitionTime: string;
}

/**
 * Conditions of a copy after those of its original were laid over them. Those of other types stay, and the time of one
 * moves only when it says something else than before.
 */
export function mergedConditions<T extends AnyCondition>(
  existing: readonly T[] | undefined,
  converted: readonly T[] | undefined,
): readonly T[] {
  const fresh = new Map((converted ?? []).map((condition) => [condition.type, condition]));
  const kept = (existing ?? []).map((old) => {
    const next = fresh.get(old.type);
    fresh.delete(old.type);
    if (!next) return old;
    const same =
      next.status === old.status &&
      (next.reason ?? '') === (old.reason ?? '') &&
      (next.message ?? '') === (old.message ?? '');
    return same ? { ...next, lastTransitionTime: old.lastTransitionTime } : next;
  });
  return [...kept, ...fresh.values()];
}
