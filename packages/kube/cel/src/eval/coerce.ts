import type { CelType } from '../check/type.ts';
import { fail } from '../errors.ts';
import { civilSeconds, duration, parseGoDuration, parseRfc3339, timestamp } from '../values/time.ts';
import type { CelValue } from '../values/value.ts';
import { CelDouble, CelDuration, CelMap, CelTimestamp, CelUint, OpaqueValue } from '../values/value.ts';

/** Turns what a field, item or variable of a known type holds into its CEL value, checking it on the way. */
export type Coerce = (value: CelValue) => CelValue;

function mismatch(expected: string, value: CelValue): never {
  return fail(`invalid data, expected ${expected}, got ${goTypeName(value)}`);
}

function goTypeName(value: CelValue): string {
  if (value === null || value === undefined) return '<nil>';
  if (Array.isArray(value)) return '[]interface {}';
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int64';
    case 'number':
      return Number.isInteger(value) ? 'int64' : 'float64';
    default:
      return 'map[string]interface {}';
  }
}

const SCALARS: Partial<Record<CelType['kind'], Coerce>> = {
  bool: (value) => (typeof value === 'boolean' || value === null ? value : mismatch('bool', value)),
  string: (value) => (typeof value === 'string' || value === null ? value : mismatch('string', value)),
  int: (value) => (isIntLike(value) || value === null ? value : mismatch('int', value)),
  uint: (value) => (value instanceof CelUint || value === null ? value : mismatch('uint', value)),
  double: (value) => {
    if (typeof value === 'number') return Number.isInteger(value) ? new CelDouble(value) : value;
    return value instanceof CelDouble || value === null ? value : mismatch('float', value);
  },
  bytes: (value) => {
    if (typeof value !== 'string')
      return value instanceof Uint8Array || value === null ? value : mismatch('string', value);
    if (!/^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$/.test(value)) fail(`Invalid byte formatted string ${value}`);
    return new Uint8Array(Buffer.from(value, 'base64'));
  },
  duration: (value) => {
    if (typeof value !== 'string')
      return value instanceof CelDuration || value === null ? value : mismatch('string', value);
    return duration(openApiDuration(value) ?? fail(`Invalid duration ${value}: unable to parse ${value} as duration`));
  },
  list: (value) =>
    Array.isArray(value) || value === null
      ? value
      : fail('invalid data, expected an array for the provided schema with type=array'),
  map: (value) => objectLike(value),
  struct: (value) => objectLike(value),
};

function isIntLike(value: CelValue): boolean {
  return (typeof value === 'number' && Number.isInteger(value)) || typeof value === 'bigint';
}

function objectLike(value: CelValue): CelValue {
  if (typeof value !== 'object' || Array.isArray(value))
    fail('invalid data, expected a map for the provided schema with type=object');
  return value;
}

const dateTime: Coerce = (value) => {
  if (typeof value !== 'string')
    return value instanceof CelTimestamp || value === null ? value : mismatch('string', value);
  return timestamp(parseRfc3339(value) ?? fail(`Invalid date-time formatted string ${value}`));
};

const date: Coerce = (value) => {
  if (typeof value !== 'string') return dateTime(value);
  const match = /^(\d{4})-(\d\d)-(\d\d)$/.exec(value);
  const seconds = match && civilSeconds(Number(match[1]), Number(match[2]), Number(match[3]));
  return timestamp(BigInt(seconds ?? fail(`Invalid date formatted string ${value}`)) * 1_000_000_000n);
};

const LONG_UNITS: Readonly<Record<string, number>> = {
  ns: 1,
  nano: 1,
  nanos: 1,
  nanosecond: 1,
  nanoseconds: 1,
  us: 1e3,
  '\u00b5s': 1e3,
  micro: 1e3,
  micros: 1e3,
  microsecond: 1e3,
  microseconds: 1e3,
  ms: 1e6,
  milli: 1e6,
  millis: 1e6,
  millisecond: 1e6,
  milliseconds: 1e6,
  s: 1e9,
  sec: 1e9,
  secs: 1e9,
  second: 1e9,
  seconds: 1e9,
  m: 6e10,
  min: 6e10,
  mins: 6e10,
  minute: 6e10,
  minutes: 6e10,
  h: 3.6e12,
  hr: 3.6e12,
  hrs: 3.6e12,
  hour: 3.6e12,
  hours: 3.6e12,
  d: 8.64e13,
  day: 8.64e13,
  days: 8.64e13,
  w: 6.048e14,
  wk: 6.048e14,
  wks: 6.048e14,
  week: 6.048e14,
  weeks: 6.048e14,
};

/** The `duration` format takes Go durations and also texts such as `3 days`. */
function openApiDuration(text: string): bigint | undefined {
  const go = parseGoDuration(text);
  if (go !== undefined) return go;
  let total = 0n;
  let found = false;
  for (const match of text.slice(0, 256).matchAll(/(\d{1,18})\s*([A-Za-z\u00b5]+)/g)) {
    const unit = LONG_UNITS[match[2]!.toLowerCase()];
    if (unit === undefined) return undefined;
    found = true;
    total += BigInt(match[1]!) * BigInt(unit);
  }
  return found && BigInt.asIntN(64, total) === total ? total : undefined;
}

/** The coercion for values of a type, or undefined when any value is acceptable as it is. */
export function coercerFor(type: CelType): Coerce | undefined {
  if (type.kind === 'timestamp') return type.schema?.dateOnly ? date : dateTime;
  return SCALARS[type.kind];
}

const converting = new WeakMap<CelType, boolean>();

/** Whether raw JSON of this type differs from its CEL value somewhere inside, or compares by other rules. */
export function needsConversion(type: CelType): boolean {
  switch (type.kind) {
    case 'timestamp':
    case 'duration':
    case 'bytes':
    case 'double':
      return true;
    case 'list':
    case 'map':
    case 'struct':
      break;
    default:
      return false;
  }
  const known = converting.get(type);
  if (known !== undefined) return known;
  // A cycle adds nothing of its own: whatever it contains is found on the way around.
  converting.set(type, false);
  const answer =
    type.kind === 'struct'
      ? [...(type.fields?.names() ?? [])].some((name) => {
          const field = type.fields!.get(name);
          return field !== undefined && needsConversion(field.type);
        })
      : type.schema?.listType !== undefined || type.params.some(needsConversion);
  converting.set(type, answer);
  return answer;
}

/** A deep copy in CEL values of raw JSON that needs conversion; anything else is returned as it is. */
export function materialize(value: CelValue, type: CelType): CelValue {
  if (value === null || value === undefined || value instanceof CelMap || value instanceof OpaqueValue) return value;
  switch (type.kind) {
    case 'list':
      if (!Array.isArray(value) || !needsConversion(type.params[0]!)) return value;
      return value.map((item) => materialize(item, type.params[0]!));
    case 'map':
    case 'struct': {
      if (!needsConversion(type)) return value;
      const copy: Record<string, CelValue> = Object.create(null) as Record<string, CelValue>;
      const byKey = type.kind === 'struct' ? fieldTypesByKey(type) : undefined;
      for (const [key, item] of Object.entries(value as object)) {
        const inner = byKey ? byKey.get(key) : type.params[1];
        copy[key] = inner ? materialize(item, inner) : (item as CelValue);
      }
      return copy;
    }
    default:
      return coercerFor(type)?.(value) ?? value;
  }
}

const keyTables = new WeakMap<CelType, Map<string, CelType>>();

/** Field types by JSON key rather than by escaped name. */
export function fieldTypesByKey(type: CelType): ReadonlyMap<string, CelType> {
  let table = keyTables.get(type);
  if (!table) {
    table = new Map();
    for (const name of type.fields?.names() ?? []) {
      const field = type.fields!.get(name);
      if (field) table.set(field.key, field.type);
    }
    keyTables.set(type, table);
  }
  return table;
}
