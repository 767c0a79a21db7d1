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
