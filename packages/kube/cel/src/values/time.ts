import { fail } from '../errors.ts';
import { CelDuration, CelTimestamp } from './value.ts';

const SECOND = 1_000_000_000n;
/** 0001-01-01T00:00:00Z and 9999-12-31T23:59:59.999999999Z. */
const MIN_NANOS = -62_135_596_800n * SECOND;
const MAX_NANOS = 253_402_300_799n * SECOND + 999_999_999n;

export function inTimestampRange(nanos: bigint): boolean {
  return nanos >= MIN_NANOS && nanos <= MAX_NANOS;
}

export function timestamp(nanos: bigint): CelTimestamp {
  if (!inTimestampRange(nanos)) fail('timestamp overflow');
  return new CelTimestamp(nanos);
}

export function duration(nanos: bigint): CelDuration {
  if (BigInt.asIntN(64, nanos) !== nanos) fail('duration overflow');
  return new CelDuration(nanos);
}

const RFC3339 = /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:[.,](\d{1,}))?(?:[Zz]|([+-])(\d\d):(\d\d))$/;

/** Nanoseconds since the epoch of an RFC 3339 text, or undefined. */
export function parseRfc3339(text: string): bigint | undefined {
  const match = RFC3339.exec(text);
  if (!match || text.length > 64) return undefined;
  const [, year, month, day, hour, minute, second, fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = match;
  if (Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined;
  if (Number(offsetHour) > 24 || Number(offsetMinute) > 59) return undefined;
  const seconds = civilSeconds(Number(year), Number(month), Number(day));
  if (seconds === undefined) return undefined;
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -60 : 60);
  const total = seconds + Number(hour) * 3600 + Number(minute) * 60 + Number(second) - offset;
  return BigInt(total) * SECOND + BigInt(fraction.slice(0, 9).padEnd(9, '0'));
}

/** Seconds since the epoch at midnight UTC, or undefined for a day that does not exist. */
export function civilSeconds(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1) return undefined;
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 ? date.getTime() / 1000 : undefined;
}

/** RFC 3339 in UTC with as many fraction digits as needed. */
export function formatTimestamp({ nanos }: CelTimestamp): string {
  const { seconds, rest } = split(nanos);
  const whole = new Date(Number(seconds) * 1000).toISOString().slice(0, 19);
  const fraction = rest === 0n ? '' : `.${rest.toString().padStart(9, '0').replace(/0+$/, '')}`;
  return `${whole}${fraction}Z`;
}

/** Whole seconds rounded down, and the nanoseconds above them. */
export function split(nanos: bigint): { seconds: bigint; rest: bigint } {
  const rest = ((nanos % SECOND) + SECOND) % SECOND;
  return { seconds: (nanos - rest) / SECOND, rest };
}

const UNITS: Readonly<Record<string, bigint>> = {
  ns: 1n,
  us: 1000n,
  '\u00b5s': 1000n,
  '\u03bcs': 1000n,
  ms: 1_000_000n,
  s: SECOND,
  m: 60n * SECOND,
  h: 3600n * SECOND,
};
const DURATION_PART = /(?:(\d+)(?:\.(\d*))?|\.(\d+))(ns|us|\u00b5s|\u03bcs|ms|s|m|h)/y;

/** Nanoseconds of a Go duration text such as `1h30m` or `-1.5s`, or undefined. */
export function parseGoDuration(text: string): bigint | undefined {
  if (text.length > 256) return undefined;
  const negative = text.startsWith('-');
  const body = negative || text.startsWith('+') ? text.slice(1) : text;
  if (body === '0') return 0n;
  if (body === '') return undefined;
  let total = 0n;
  let at = 0;
  while (at < body.length) {
    DURATION_PART.lastIndex = at;
    const match = DURATION_PART.exec(body);
    if (!match) return undefined;
    const [whole, integer = '0', fraction = '', bareFraction = '', unit] = match;
    const size = UNITS[unit!]!;
    const digits = (fraction || bareFraction).slice(0, 18);
    total += BigInt(integer) * size;
    if (digits) total += (BigInt(digits) * size) / 10n ** BigInt(digits.length);
    at += whole.length;
  }
  const nanos = negative ? -total : total;
  return BigInt.asIntN(64, nanos) === nanos ? nanos : undefined;
}

/** Seconds with the fewest digits that still say everything a float64 can, e.g. `1.5s`. */
export function formatDurationSeconds({ nanos }: CelDuration): string {
  return `${plainNumber(Number(nanos) / 1e9)}s`;
}

/** Shortest decimal without an exponent. */
export function plainNumber(value: number): string {
  const text = String(value);
  const match = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(text);
  if (!match) return text;
  const [, sign, first, rest = '', exponent] = match;
  const shift = Number(exponent);
  const digits = first! + rest;
  if (shift < 0) return `${sign}0.${'0'.repeat(-shift - 1)}${digits}`;
  return sign + digits.padEnd(shift + 1, '0');
}
