import { isAlreadyExists, isConflict } from '@hypershift-ts/kube-apimachinery';
import type { StepOutcomes } from '@hypershift-ts/kube-controller';

const textOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What went wrong: a critical step with what it holds up, or else all the others; undefined when nothing did. */
export function failureOf(outcomes: StepOutcomes, critical: ReadonlySet<string>): Error | undefined {
  const failed = [...outcomes].flatMap(([name, outcome]) =>
    outcome.state === 'failed' ? [{ name, text: `${name}: ${textOf(outcome.error)}`, error: outcome.error }] : [],
  );
  const first = failed.find(({ name }) => critical.has(name));
  if (first) {
    const blocked = [...outcomes].filter(([, { state }]) => state === 'blocked').map(([name]) => name);
    return new Error(`critical error: ${first.text}; blocked operations: [ ${blocked.join(', ')} ]`, {
      cause: first.error,
    });
  }
  if (failed.length === 0) return undefined;
  return new Error(failed.map(({ text }) => text).join('; '), { cause: failed[0]?.error });
}

/** Whether an error only says that somebody else wrote in between: the next look sees what it was. */
export function isStale(error: unknown): boolean {
  if (isConflict(error) || isAlreadyExists(error)) return true;
  return error instanceof Error && error.cause !== undefined && isStale(error.cause);
}

/** Whether nothing went wrong except that what was in memory had become old. */
export function isOnlyStale(outcomes: StepOutcomes): boolean {
  const failed = [...outcomes.values()].flatMap((one) => (one.state === 'failed' ? [one.error] : []));
  return failed.length > 0 && failed.every(isStale);
}
