/**
 * The five-field cron syntax with names, ranges, steps and the @ shorthands. Kubernetes reads schedules with a
 * well-known Go parser; the faults it reports start the same way as those here.
 */

interface Bounds {
  readonly min: number;
  readonly max: number;
  readonly names?: readonly string[];
}

const months = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const days = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];

const fields: readonly Bounds[] = [
  { min: 0, max: 59 },
  { min: 0, max: 23 },
  { min: 1, max: 31 },
  { min: 1, max: 12, names: months },
  { min: 0, max: 6, names: days },
];

const shorthands = new Set(['@yearly', '@annually', '@monthly', '@weekly', '@daily', '@midnight', '@hourly']);

/** What is wrong with a schedule; undefined when it can be followed. */
export function scheduleFault(schedule: string): string | undefined {
  let text = schedule.trim();
  if (/^(CRON_)?TZ=/.test(text)) text = text.replace(/^\S+\s*/, '');
  if (text === '') return 'empty spec string';
  if (text.startsWith('@')) {
    if (shorthands.has(text)) return undefined;
    if (/^@every ([0-9.]+(ns|us|µs|ms|s|m|h))+$/.test(text)) return undefined;
    return text.startsWith('@every ') ? `failed to parse duration ${text}` : `unrecognized descriptor: ${text}`;
  }
  const parts = text.split(/\s+/);
  if (parts.length !== fields.length) return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`;
  for (const [index, part] of parts.entries()) {
    for (const expression of part.split(',')) {
      const fault = expressionFault(expression, fields[index] as Bounds);
      if (fault !== undefined) return fault;
    }
  }
  return undefined;
}

function expressionFault(expression: string, bounds: Bounds): string | undefined {
  const [range = '', step, extra] = expression.split('/');
  if (extra !== undefined) return `too many slashes: ${expression}`;
  const [low = '', high, more] = range.split('-');
  if (more !== undefined) return `too many hyphens: ${expression}`;
  let start = bounds.min;
  let end = bounds.max;
  if (low !== '*' && low !== '?') {
    const from = valueOf(low, bounds);
    if (from === undefined) return `failed to parse int from ${low}: strconv.Atoi: parsing "${low}": invalid syntax`;
    start = from;
    end = step !== undefined && high === undefined ? bounds.max : from;
    if (high !== undefined) {
      const to = valueOf(high, bounds);
      if (to === undefined) return `failed to parse int from ${high}: strconv.Atoi: parsing "${high}": invalid syntax`;
      end = to;
    }
  }
  if (step !== undefined) {
    if (!/^\d{1,9}$/.test(step))
      return `failed to parse int from ${step}: strconv.Atoi: parsing "${step}": invalid syntax`;
    if (Number(step) === 0) return `step of range should be a positive number: ${expression}`;
  }
  if (start < bounds.min) return `beginning of range (${start}) below minimum (${bounds.min}): ${expression}`;
  if (end > bounds.max) return `end of range (${end}) above maximum (${bounds.max}): ${expression}`;
  if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${expression}`;
  return undefined;
}

function valueOf(text: string, bounds: Bounds): number | undefined {
  const name = bounds.names?.indexOf(text.toLowerCase()) ?? -1;
  if (name >= 0) return name + bounds.min;
  return /^\d{1,9}$/.test(text) ? Number(text) : undefined;
}
