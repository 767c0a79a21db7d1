/** The field that pauses reconciliation. */

const time = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d+)?(Z|[+-]\d{2}:\d{2})$/;

/** What spec.pausedUntil asks for: nothing, a pause without end, a pause until a time, or something not understood. */
export type Pause = 'none' | 'forever' | 'invalid' | { readonly until: Date };

export function pauseOf(pausedUntil: string | undefined): Pause {
  if (pausedUntil === undefined || pausedUntil === '') return 'none';
  const word = pausedUntil.toLowerCase();
  if (word === 'true') return 'forever';
  if (word === 'false') return 'none';
  const until = new Date(pausedUntil);
  return time.test(pausedUntil) && !Number.isNaN(until.getTime()) ? { until } : 'invalid';
}
