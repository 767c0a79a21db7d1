import { zoneOffsetMs } from '@hypershift-ts/kube-apimachinery';
import { DURATION, INT, STRING, TIMESTAMP } from '../check/type.ts';
import { fail } from '../errors.ts';
import { civilSeconds, split } from '../values/time.ts';
import type { CelDuration, CelTimestamp } from '../values/value.ts';
import type { FunctionDeclaration, Overload } from './declaration.ts';
import { declare, member } from './declaration.ts';

/** A moment broken down in some time zone. */
interface Civil {
  readonly year: number;
  readonly month: number;
  readonly day: number;
  readonly hour: number;
  readonly minute: number;
  readonly second: number;
}

/** Seconds east of UTC that `zone` has at a moment; accepts `+HH:MM`, `-HH:MM`, `HH:MM` and IANA names. */
function offsetOf(zone: string, seconds: number): number {
  if (zone === 'UTC' || zone === '') return 0;
  const fixed = /^([+-]?)(\d{1,2}):(\d{1,2})$/.exec(zone);
  if (fixed) {
    if (Number(fixed[3]) > 59) fail(`timezone offset minutes out of range [0, 59]: ${zone}`);
    if (Number(fixed[2]) > 23) fail(`timezone offset hours out of range [-23, 23]: ${zone}`);
    const span = Number(fixed[2]) * 3600 + Number(fixed[3]) * 60;
    return fixed[1] === '-' ? -span : span;
  }
  if (!/^[A-Za-z0-9_+\-/]{1,64}$/.test(zone)) fail(`unknown time zone ${zone}`);
  try {
    return zoneOffsetMs(zone, seconds * 1000) / 1000;
  } catch {
    return fail(`unknown time zone ${zone}`);
  }
}

function civil(at: CelTimestamp, zone: string): Civil {
  const utc = Number(split(at.nanos).seconds);
  const date = new Date((utc + offsetOf(zone, utc)) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth(),
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
    second: date.getUTCSeconds(),
  };
}

function dayStart({ year, month, day }: Civil): number {
  return civilSeconds(year, month + 1, day)! / 86_400;
}

/** Function name, part of the overload id, and the reading. */
const GETTERS: readonly [string, string, (moment: Civil, at: CelTimestamp) => number][] = [
  ['getFullYear', 'year', ({ year }) => year],
  ['getMonth', 'month', ({ month }) => month],
  ['getDayOfYear', 'day_of_year', (moment) => dayStart(moment) - civilSeconds(moment.year, 1, 1)! / 86_400],
  ['getDayOfMonth', 'day_of_month', ({ day }) => day - 1],
  ['getDate', 'day_of_month_1_based', ({ day }) => day],
  // 1970-01-01 was a Thursday.
  ['getDayOfWeek', 'day_of_week', (moment) => (((dayStart(moment) + 4) % 7) + 7) % 7],
  ['getHours', 'hours', ({ hour }) => hour],
  ['getMinutes', 'minutes', ({ minute }) => minute],
  ['getSeconds', 'seconds', ({ second }) => second],
  ['getMilliseconds', 'milliseconds', (_moment, at) => Number(split(at.nanos).rest / 1_000_000n)],
];

const SPANS: Readonly<Record<string, bigint>> = {
  getHours: 3_600_000_000_000n,
  getMinutes: 60_000_000_000n,
  getSeconds: 1_000_000_000n,
  getMilliseconds: 1_000_000n,
};

/** Accessors of timestamps and durations. Kubernetes reads timestamps in UTC when no zone is given. */
export const timeFunctions: readonly FunctionDeclaration[] = GETTERS.map(([name, id, read]) => {
  const overloads: Overload[] = [
    member(`timestamp_to_${id}`, [TIMESTAMP], INT, (at: CelTimestamp) => read(civil(at, 'UTC'), at)),
    member(`timestamp_to_${id}_with_tz`, [TIMESTAMP, STRING], INT, (at: CelTimestamp, zone: string) =>
      read(civil(at, zone), at),
    ),
  ];
  const unit = SPANS[name];
  if (unit !== undefined) {
    overloads.push(member(`duration_to_${id}`, [DURATION], INT, (span: CelDuration) => Number(span.nanos / unit)));
  }
  return declare(name, ...overloads);
});
