import { zoneOffsetMs } from '@hypershift-ts/kube-apimachinery';

/** Cron schedules as Kubernetes takes them: five fields or a `@name`. */

export interface Schedule {
  readonly minutes: ReadonlySet<number>;
  readonly hours: ReadonlySet<number>;
  readonly days: ReadonlySet<number>;
  readonly months: ReadonlySet<number>;
  readonly weekdays: ReadonlySet<number>;
  /** Day of month and day of week both given: either is enough. */
  readonly eitherDay: boolean;
  /** `@every`: a fixed distance instead of the fields. */
  readonly everyMs?: number;
}

const macros: { readonly [name: string]: string } = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};
const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec'];
const dayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat'];
const maxLength = 256;

export function parseSchedule(text: string): Schedule {
  const trimmed = text.trim();
  if (trimmed.length > maxLength) throw new Error('schedule is too long');
  const every = /^@every (\d+)(s|m|h)$/.exec(trimmed);
  if (every) {
    const unit = { s: 1_000, m: 60_000, h: 3_600_000 }[every[2] as 's' | 'm' | 'h'];
    return { ...parseSchedule('* * * * *'), everyMs: Math.max(1_000, Number(every[1]) * unit) };
  }
  const fields = (macros[trimmed] ?? trimmed).split(/\s+/);
  if (fields.length !== 5) throw new Error(`expected exactly 5 fields, found ${fields.length}: [${trimmed}]`);
  const [minute = '', hour = '', day = '', month = '', weekday = ''] = fields;
  const isAny = (field: string) => field === '*' || field === '?';
  const weekdays = parseField(weekday, 0, 7, dayNames, 0);
  return {
    minutes: parseField(minute, 0, 59),
    hours: parseField(hour, 0, 23),
    days: parseField(day, 1, 31),
    months: parseField(month, 1, 12, monthNames, 1),
    weekdays: new Set([...weekdays].map((one) => one % 7)),
    eitherDay: !isAny(day) && !isAny(weekday),
  };
}

function parseField(
  field: string,
  low: number,
  high: number,
  names: readonly string[] = [],
  firstName = 0,
): Set<number> {
  const values = new Set<number>();
  const number = (text: string): number => {
    const named = names.indexOf(text.toLowerCase());
    const value = named >= 0 ? named + firstName : /^\d{1,4}$/.test(text) ? Number(text) : Number.NaN;
    if (Number.isNaN(value) || value < low || value > high)
      throw new Error(`value "${text}" is not between ${low} and ${high}`);
    return value;
  };
  for (const part of field.split(',')) {
    const [range = '', stepText, ...rest] = part.split('/');
    if (rest.length > 0) throw new Error(`too many slashes: ${part}`);
    const step = stepText === undefined ? 1 : Number(stepText);
    if (!Number.isInteger(step) || step < 1) throw new Error(`step of range should be a positive number: ${part}`);
    const [from = '', to, ...more] = range.split('-');
    if (more.length > 0) throw new Error(`too many hyphens: ${part}`);
    const any = from === '*' || from === '?';
    const first = any ? low : number(from);
    const last = any ? high : to === undefined ? (stepText === undefined ? first : high) : number(to);
    if (last < first) throw new Error(`beginning of range (${first}) beyond end of range (${last}): ${part}`);
    for (let value = first; value <= last; value += step) values.add(value);
  }
  return values;
}

interface Wall {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
}

/** How far the zone's clocks are ahead of UTC at a moment. */
function offsetMs(ms: number, zone: string): number {
  if (zone === 'UTC' || zone === 'Etc/UTC') return 0;
  return zoneOffsetMs(zone, ms);
}

/** The moment when the zone's clocks show this; in a skipped hour, the moment after the skip. */
function momentOf(wallMs: number, zone: string): number {
  const guess = wallMs - offsetMs(wallMs, zone);
  return wallMs - offsetMs(guess, zone);
}

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const horizonMs = 5 * 366 * dayMs;

/** The next time after `afterMs`, or undefined when there is none within five years (31 February). */
export function nextTime(schedule: Schedule, afterMs: number, zone = 'UTC'): number | undefined {
  if (schedule.everyMs) return Math.floor(afterMs / 1000) * 1000 + schedule.everyMs;
  // Wall clock time is counted as if it were UTC, and turned into a moment at the end.
  let wall = Math.floor((afterMs + offsetMs(afterMs, zone)) / minuteMs) * minuteMs + minuteMs;
  const end = wall + horizonMs;
  while (wall < end) {
    const now = fieldsOf(wall);
    if (!schedule.months.has(now.month)) wall = Date.UTC(now.year, now.month, 1);
    else if (!isDay(schedule, wall, now)) wall = Math.floor(wall / dayMs) * dayMs + dayMs;
    else if (!schedule.hours.has(now.hour)) wall = Math.floor(wall / hourMs) * hourMs + hourMs;
    else if (!schedule.minutes.has(now.minute)) wall += minuteMs;
    else {
      const moment = momentOf(wall, zone);
      if (moment > afterMs) return moment;
      wall += minuteMs;
    }
  }
  return undefined;
}

function fieldsOf(wall: number): Wall {
  const date = new Date(wall);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

function isDay({ days, weekdays, eitherDay }: Schedule, wall: number, { day }: Wall): boolean {
  const byDate = days.has(day);
  const byWeekday = weekdays.has(new Date(wall).getUTCDay());
  return eitherDay ? byDate || byWeekday : byDate && byWeekday;
}
