import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  mapType,
  paramType,
  STRING,
  TIMESTAMP,
  typeType,
  UINT,
} from '../check/type.ts';
import type { CelType } from '../check/type.ts';
import { fail } from '../errors.ts';
import { codePointLength } from '../syntax/source.ts';
import { mapSize } from '../values/equality.ts';
import { formatDouble, parseBool, parseDouble, parseInt64, parseUint64 } from '../values/number-text.ts';
import { regex, searches } from '../values/regex.ts';
import {
  duration,
  formatDurationSeconds,
  formatTimestamp,
  parseGoDuration,
  parseRfc3339,
  split,
  timestamp,
} from '../values/time.ts';
import type { CelDuration, CelTimestamp, CelValue } from '../values/value.ts';
import { CelTypeValue, CelUint, double, doubleOf, int, typeName } from '../values/value.ts';
import type { FunctionDeclaration } from './declaration.ts';
import { declare, global, member } from './declaration.ts';

const A = paramType('A');
const LIST_A = listType(A);
const MAP_AB = mapType(A, paramType('B'));

const same = (value: CelValue): CelValue => value;

function conversionError(from: CelType, to: CelType): never {
  return fail(`type conversion error from '${from.name}' to '${to.name}'`);
}

function toInt(value: number): number | bigint {
  if (!(value > -9223372036854775808 && value < 9223372036854775808)) fail('integer overflow');
  const whole = Math.trunc(value);
  return Number.isSafeInteger(whole) ? whole + 0 : int(BigInt(whole));
}

function toUint(value: number): CelUint {
  if (!(value > -1 && value < 18446744073709551616)) fail('unsigned integer overflow');
  if (value < 0) fail('unsigned integer overflow');
  return new CelUint(BigInt(Math.trunc(value)));
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return fail('invalid UTF-8 in bytes, cannot convert to string');
  }
}

function timestampOf(text: string): CelTimestamp {
  const nanos = parseRfc3339(text);
  return nanos === undefined ? conversionError(STRING, TIMESTAMP) : timestamp(nanos);
}

function durationOf(text: string): CelDuration {
  const nanos = parseGoDuration(text);
  return nanos === undefined ? conversionError(STRING, DURATION) : duration(nanos);
}

const encoder = new TextEncoder();

const sizes: FunctionDeclaration = declare(
  'size',
  ...(
    [
      ['bytes', BYTES, (value: Uint8Array) => value.length],
      ['list', LIST_A, (value: readonly CelValue[]) => value.length],
      ['map', MAP_AB, mapSize],
      ['string', STRING, codePointLength],
    ] as const
  ).flatMap(([name, type, run]) => [
    global(`size_${name}`, [type], INT, run),
    member(`${name}_size`, [type], INT, run),
  ]),
);

const conversions: readonly FunctionDeclaration[] = [
  declare(
    'type',
    global('type', [A], typeType(A), (value) => new CelTypeValue(typeName(value))),
  ),
  declare('dyn', global('to_dyn', [A], DYN, same)),
  declare(
    'bool',
    global('bool_to_bool', [BOOL], BOOL, same),
    global('string_to_bool', [STRING], BOOL, (text) => parseBool(text) ?? conversionError(STRING, BOOL)),
  ),
  declare(
    'bytes',
    global('bytes_to_bytes', [BYTES], BYTES, same),
    global('string_to_bytes', [STRING], BYTES, (text) => encoder.encode(text)),
  ),
  declare(
    'double',
    global('double_to_double', [DOUBLE], DOUBLE, same),
    global('int64_to_double', [INT], DOUBLE, (value) => double(Number(value))),
    global('string_to_double', [STRING], DOUBLE, (text) =>
      double(parseDouble(text) ?? conversionError(STRING, DOUBLE)),
    ),
    global('uint64_to_double', [UINT], DOUBLE, (value: CelUint) => double(Number(value.value))),
  ),
  declare(
    'duration',
    global('duration_to_duration', [DURATION], DURATION, same),
    global('string_to_duration', [STRING], DURATION, durationOf),
  ),
  declare(
    'int',
    global('int64_to_int64', [INT], INT, same),
    global('double_to_int64', [DOUBLE], INT, (value) => toInt(doubleOf(value))),
    global('duration_to_int64', [DURATION], INT, (value: CelDuration) => int(value.nanos)),
    global('string_to_int64', [STRING], INT, (text) => int(parseInt64(text) ?? conversionError(STRING, INT))),
    global('timestamp_to_int64', [TIMESTAMP], INT, (value: CelTimestamp) => int(split(value.nanos).seconds)),
    global('uint64_to_int64', [UINT], INT, ({ value }: CelUint) =>
      value < 1n << 63n ? int(value) : fail('integer overflow'),
    ),
  ),
  declare(
    'string',
    global('string_to_string', [STRING], STRING, same),
    global('bool_to_string', [BOOL], STRING, String),
    global('bytes_to_string', [BYTES], STRING, decodeUtf8),
    global('double_to_string', [DOUBLE], STRING, (value) => formatDouble(doubleOf(value))),
    global('duration_to_string', [DURATION], STRING, formatDurationSeconds),
    global('int64_to_string', [INT], STRING, String),
    global('timestamp_to_string', [TIMESTAMP], STRING, formatTimestamp),
    global('uint64_to_string', [UINT], STRING, ({ value }: CelUint) => String(value)),
  ),
  declare(
    'timestamp',
    global('timestamp_to_timestamp', [TIMESTAMP], TIMESTAMP, same),
    global('int64_to_timestamp', [INT], TIMESTAMP, (seconds) => timestamp(BigInt(seconds) * 1_000_000_000n)),
    global('string_to_timestamp', [STRING], TIMESTAMP, timestampOf),
  ),
  declare(
    'uint',
    global('uint64_to_uint64', [UINT], UINT, same),
    global('double_to_uint64', [DOUBLE], UINT, (value) => toUint(doubleOf(value))),
    global('int64_to_uint64', [INT], UINT, (value) =>
      value < 0 ? fail('unsigned integer overflow') : new CelUint(BigInt(value)),
    ),
    global(
      'string_to_uint64',
      [STRING],
      UINT,
      (text) => new CelUint(parseUint64(text) ?? conversionError(STRING, UINT)),
    ),
  ),
];

const strings: readonly FunctionDeclaration[] = [
  declare(
    'contains',
    member('contains_string', [STRING, STRING], BOOL, (text, part) => text.includes(part)),
  ),
  declare(
    'endsWith',
    member('ends_with_string', [STRING, STRING], BOOL, (text, part) => text.endsWith(part)),
  ),
  declare(
    'startsWith',
    member('starts_with_string', [STRING, STRING], BOOL, (text, part) => text.startsWith(part)),
  ),
  declare(
    'matches',
    global('matches', [STRING, STRING], BOOL, (text, pattern) => searches(regex(pattern), text)),
    member('matches_string', [STRING, STRING], BOOL, (text, pattern) => searches(regex(pattern), text)),
  ),
];

/** Functions every CEL environment has, besides the operators and those on time. */
export const standardFunctions: readonly FunctionDeclaration[] = [sizes, ...conversions, ...strings];
