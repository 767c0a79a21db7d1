import { fail } from '../errors.ts';
import { isMap } from '../values/equality.ts';
import { formatDouble, parseDouble } from '../values/number-text.ts';
import { formatDurationSeconds, formatTimestamp } from '../values/time.ts';
import type { CelValue } from '../values/value.ts';
import {
  CelDuration,
  CelMap,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  doubleOf,
  isDouble,
  isInt,
  typeName,
} from '../values/value.ts';

const MAX_PRECISION = 100;
const DEFAULT_PRECISION = 6;

/** One clause of a format text, e.g. `%.2f`. */
export interface FormatClause {
  readonly verb: string;
  readonly precision: number | undefined;
}

/** The pieces of a format text in order, or why it is not one. */
export function parseFormat(pattern: string): readonly (string | FormatClause)[] | string {
  const pieces: (string | FormatClause)[] = [];
  let at = 0;
  while (at < pattern.length) {
    const percent = pattern.indexOf('%', at);
    pieces.push(pattern.slice(at, percent === -1 ? undefined : percent));
    if (percent === -1) break;
    const match = /^(?:\.(\d+))?(.)/su.exec(pattern.slice(percent + 1, percent + 16));
    if (!match) return 'unexpected end of string';
    const [whole, digits, verb] = match as unknown as [string, string | undefined, string];
    at = percent + 1 + whole.length;
    if (whole === '%') pieces.push('%');
    else if (!'sdfebxXo'.includes(verb)) {
      return `could not parse formatting clause: unrecognized formatting clause "${verb}"`;
    } else if (Number(digits ?? 0) > MAX_PRECISION) {
      return `error parsing format string: precision ${digits} exceeds maximum of ${MAX_PRECISION}`;
    } else pieces.push({ verb, precision: digits === undefined ? undefined : Number(digits) });
  }
  return pieces;
}

/** `'%s is %d'.format([...])`. */
export function formatString(pattern: string, args: readonly CelValue[]): string {
  const pieces = parseFormat(pattern);
  if (typeof pieces === 'string') return fail(pieces);
  let used = 0;
  let out = '';
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      out += piece;
      continue;
    }
    if (used >= args.length) fail(`index ${used} out of range`);
    out += clauseText(piece, args[used++]);
  }
  return out;
}

function clauseText({ verb, precision = DEFAULT_PRECISION }: FormatClause, value: CelValue): string {
  switch (verb) {
    case 's':
      return stringClause(value);
    case 'd':
      return integer(value, 'd') ?? fail(wrongType('decimal clause can only be used on integers', value));
    case 'f':
      return fixed(value, precision);
    case 'e':
      return scientific(value, precision);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return integer(value, 'b') ?? fail(wrongType('only integers and bools can be formatted as binary', value));
    case 'o':
      return integer(value, 'o') ?? fail(wrongType('octal clause can only be used on integers', value));
    case 'x':
    case 'X': {
      const text = hexadecimal(value);
      return verb === 'X' ? text.toUpperCase() : text;
    }
    default:
      return fail(`unrecognized formatting clause "${verb}"`);
  }
}

function wrongType(message: string, value: CelValue): string {
  return `error during formatting: ${message}, was given ${typeName(value)}`;
}

function integer(value: CelValue, verb: 'd' | 'b' | 'o' | 'x'): string | undefined {
  const radix = { d: 10, b: 2, o: 8, x: 16 }[verb];
  if (isInt(value)) return value.toString(radix);
  return value instanceof CelUint ? value.value.toString(radix) : undefined;
}

function hexadecimal(value: CelValue): string {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return (
    integer(value, 'x') ?? fail(wrongType('only integers, byte buffers, and strings can be formatted as hex', value))
  );
}

/** Doubles, and the three words that stand for the doubles without digits. */
function numberOf(value: CelValue, clause: string): number {
  if (isDouble(value)) return doubleOf(value);
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return parseDouble(value)!;
  return fail(wrongType(`${clause} clause can only be used on doubles`, value));
}

/** How the en-US locale, which upstream formats with, writes what has no digits. */
function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '\u221e' : '-\u221e';
  return undefined;
}

function fixed(value: CelValue, precision: number): string {
  const number = numberOf(value, 'fixed-point');
  const known = special(number);
  if (known !== undefined) return known;
  const [whole, fraction] = roundHalfEven(number, precision).split('.') as [string, string?];
  const grouped = whole.replace(/\B(?=(?:\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Like `toFixed`, but a tie goes to the even digit as in Go. */
function roundHalfEven(value: number, precision: number): string {
  const rounded = value.toFixed(precision);
  const exact = Math.abs(value) < 1e21 ? value.toFixed(100) : '';
  const dot = exact.indexOf('.');
  if (dot === -1 || !/^50*$/.test(exact.slice(dot + 1 + precision))) return rounded;
  const lower = exact.slice(0, dot + 1 + precision).replace(/\.$/, '');
  return Number(lower.at(-1)) % 2 === 0 ? lower : rounded;
}

const SUPERSCRIPTS = '\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079';

/** Upstream treats the given precision as a width here and always prints six digits. */
function scientific(value: CelValue, width: number): string {
  const number = numberOf(value, 'scientific');
  const known = special(number);
  if (known !== undefined) return known.padStart(width);
  const [mantissa, exponent] = number.toExponential(DEFAULT_PRECISION).split('e') as [string, string];
  const digits = exponent
    .slice(1)
    .padStart(2, '0')
    .replace(/\d/g, (digit) => SUPERSCRIPTS[Number(digit)]!);
  return `${mantissa}\u00d710${exponent.startsWith('-') ? '\u207b' : ''}${digits}`.padStart(width);
}

function stringClause(value: CelValue): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (value === null) return 'null';
  if (isInt(value)) return String(value);
  if (isDouble(value)) return formatDouble(doubleOf(value));
  if (value instanceof CelUint) return String(value.value);
  if (value instanceof Uint8Array) return Buffer.from(value).toString('utf8');
  if (value instanceof CelTimestamp) return formatTimestamp(value);
  if (value instanceof CelDuration) return formatDurationSeconds(value);
  if (value instanceof CelTypeValue) return value.name;
  if (Array.isArray(value)) return `[${value.map(nested).join(', ')}]`;
  if (isMap(value)) return mapText(value);
  return fail(
    wrongType(
      'string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps',
      value,
    ),
  );
}

/** Inside a list or map, values are written so that the result reads like CEL. */
function nested(value: CelValue): string {
  const text = stringClause(value);
  if (typeof value === 'string') return JSON.stringify(value);
  if (value instanceof Uint8Array) return `b${JSON.stringify(text)}`;
  if (value instanceof CelTimestamp) return `timestamp(${JSON.stringify(text)})`;
  if (value instanceof CelDuration) return `duration(${JSON.stringify(text)})`;
  if (isDouble(value)) {
    const number = doubleOf(value);
    return special(number) === undefined ? roundHalfEven(number, DEFAULT_PRECISION) : JSON.stringify(text);
  }
  return text;
}

function mapText(map: CelValue): string {
  const entries: (readonly [CelValue, CelValue])[] =
    map instanceof CelMap ? [...map.entries()] : Object.entries(map as object);
  const pairs = entries.map(([key, value]) => [nested(key), nested(value)] as const);
  pairs.sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0));
  return `{${pairs.map(([key, value]) => `${key}:${value}`).join(', ')}}`;
}
