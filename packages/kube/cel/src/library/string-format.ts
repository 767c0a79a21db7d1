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

/** `'%s is %d'.format([...])`. */
export function formatString(pattern: string, args: readonly CelValue[]): string {
  let used = 0;
  let out = '';
  let at = 0;
  while (at < pattern.length) {
    const percent = pattern.indexOf('%', at);
    if (percent === -1) return out + pattern.slice(at);
    out += pattern.slice(at, percent);
    const clause = /^(?:\.(\d+))?(.)/su.exec(pattern.slice(percent + 1, percent + 16));
    if (!clause) return fail('unexpected end of string');
    at = percent + 1 + clause[0].length;
    if (clause[0] === '%') {
      out += '%';
      continue;
    }
    if (used >= args.length) fail(`index ${used} out of range`);
    out += clauseText(clause[2]!, clause[1], args[used++]);
  }
  return out;
}

function clauseText(verb: string, digits: string | undefined, value: CelValue): string {
  const precision = digits === undefined ? DEFAULT_PRECISION : Number(digits);
  if (precision > MAX_PRECISION) fail(`precision of ${precision} exceeds max of ${MAX_PRECISION}`);
  switch (verb) {
    case 's':
      return stringClause(value);
    case 'd':
      return integer(value, 'd', 'decimal') ?? fail(wrongType('decimal clause can only be used on integers', value));
    case 'f':
      return fixed(value, precision);
    case 'e':
      return scientific(value, precision);
    case 'b':
      if (typeof value === 'boolean') return value ? '1' : '0';
      return (
        integer(value, 'b', 'binary') ?? fail(wrongType('only integers and bools can be formatted as binary', value))
      );
    case 'o':
      return integer(value, 'o', 'octal') ?? fail(wrongType('octal clause can only be used on integers', value));
    case 'x':
    case 'X': {
      const text = hexadecimal(value);
      return verb === 'X' ? text.toUpperCase() : text;
    }
    default:
      return fail(`could not parse formatting clause: unrecognized formatting clause "${verb}"`);
  }
}

function wrongType(message: string, value: CelValue): string {
  return `error during formatting: ${message}, was given ${typeName(value)}`;
}

function integer(value: CelValue, verb: 'd' | 'b' | 'o' | 'x', _name: string): string | undefined {
  const radix = { d: 10, b: 2, o: 8, x: 16 }[verb];
  if (isInt(value)) return value.toString(radix);
  return value instanceof CelUint ? value.value.toString(radix) : undefined;
}

function hexadecimal(value: CelValue): string {
  if (typeof value === 'string') return Buffer.from(value, 'utf8').toString('hex');
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  return (
    integer(value, 'x', 'hex') ??
    fail(wrongType('only integers, byte buffers, and strings can be formatted as hex', value))
  );
}

/** Doubles, and the three words that stand for the doubles without digits. */
function numberOf(value: CelValue, clause: string): number {
  if (isDouble(value)) return doubleOf(value);
  if (value === 'NaN' || value === 'Infinity' || value === '-Infinity') return parseDouble(value)!;
  return fail(wrongType(`${clause} clause can only be used on doubles`, value));
}

function special(value: number): string | undefined {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? 'Infinity' : '-Infinity';
  return undefined;
}

function fixed(value: CelValue, precision: number): string {
  const number = numberOf(value, 'fixed-point');
  return special(number) ?? number.toFixed(precision);
}

function scientific(value: CelValue, precision: number): string {
  const number = numberOf(value, 'scientific');
  const known = special(number);
  if (known !== undefined) return known;
  return number.toExponential(precision).replace(/e([+-])(\d)$/, 'e$10$2');
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
    return special(number) === undefined ? number.toFixed(DEFAULT_PRECISION) : JSON.stringify(text);
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
