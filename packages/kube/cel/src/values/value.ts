/**
 * Runtime values. JSON is used as it is, so an object under validation is never copied:
 *
 * - null, bool, string: themselves. list: an array. map or object: a plain object, or `CelMap` when built by CEL.
 * - int: a number with an integral value while it is safe, a bigint beyond that (up to 64 bits).
 * - double: a number with a fraction, NaN or infinite; an integral double is boxed in `CelDouble`.
 * - everything else is an instance of a class below or of a library's own class.
 */
export type CelValue = unknown;

/** A double whose value is integral; unboxed it would read as an int. */
export class CelDouble {
  readonly value: number;
  constructor(value: number) {
    this.value = value;
  }
}

export class CelUint {
  readonly value: bigint;
  constructor(value: bigint) {
    this.value = value;
  }
}

/** Nanoseconds since the Unix epoch. */
export class CelTimestamp {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A signed span of nanoseconds that fits 64 bits. */
export class CelDuration {
  readonly nanos: bigint;
  constructor(nanos: bigint) {
    this.nanos = nanos;
  }
}

/** A map built by an expression: keys may be bool, int, uint or string. */
export class CelMap {
  private readonly table = new Map<MapKey, readonly [CelValue, CelValue]>();

  get size(): number {
    return this.table.size;
  }
  set(key: CelValue, value: CelValue): void {
    this.table.set(mapKey(key), [key, value]);
  }
  has(key: CelValue): boolean {
    return this.table.has(mapKey(key));
  }
  get(key: CelValue): CelValue {
    return this.table.get(mapKey(key))?.[1];
  }
  delete(key: CelValue): void {
    this.table.delete(mapKey(key));
  }
  entries(): IterableIterator<readonly [CelValue, CelValue]> {
    return this.table.values();
  }
}

export class CelOptional {
  static readonly none = new CelOptional(false, undefined);
  readonly present: boolean;
  private readonly held: CelValue;

  private constructor(present: boolean, held: CelValue) {
    this.present = present;
    this.held = held;
  }
  static of(value: CelValue): CelOptional {
    return new CelOptional(true, value);
  }
  /** Only meaningful when present. */
  get value(): CelValue {
    return this.held;
  }
}

/** What `type(x)` returns. Compared by name. */
export class CelTypeValue {
  readonly name: string;
  constructor(name: string) {
    this.name = name;
  }
}

/** Base of the values libraries add (quantity, ip, url, ...): they name their type and compare themselves. */
export abstract class OpaqueValue {
  abstract readonly typeName: string;
  abstract equals(other: OpaqueValue): boolean;
}

/** A plain object used as a map or message. */
export type PlainObject = { readonly [key: string]: CelValue };

export function isPlainObject(value: CelValue): value is PlainObject {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const prototype = Object.getPrototypeOf(value) as unknown;
  return prototype === Object.prototype || prototype === null;
}

export function isInt(value: CelValue): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value));
}

export function isDouble(value: CelValue): value is number | CelDouble {
  return value instanceof CelDouble || (typeof value === 'number' && !Number.isInteger(value));
}

/** A double in its runtime form. */
export function double(value: number): CelValue {
  return Number.isInteger(value) ? new CelDouble(value) : value;
}

/** The JavaScript number of a value known to be a double. Integral JSON numbers typed as double pass too. */
export function doubleOf(value: CelValue): number {
  return value instanceof CelDouble ? value.value : (value as number);
}

/** An int in its runtime form; the caller guarantees that it fits 64 bits. */
export function int(value: bigint): number | bigint {
  return value >= -9007199254740991n && value <= 9007199254740991n ? Number(value) : value;
}

type MapKey = string | number | bigint | boolean;

/** int, uint and integral double keys that are numerically equal are one key; strings get a tag so that '1' is not 1. */
function mapKey(key: CelValue): MapKey {
  if (typeof key === 'string') return `s${key}`;
  if (typeof key === 'number' || typeof key === 'boolean' || typeof key === 'bigint') return key;
  if (key instanceof CelUint) return int(key.value);
  if (key instanceof CelDouble) return Number.isSafeInteger(key.value) ? key.value : BigInt(key.value);
  return `?${typeName(key)}`;
}

/** CEL name of a value's type. */
export function typeName(value: CelValue): string {
  switch (typeof value) {
    case 'string':
      return 'string';
    case 'boolean':
      return 'bool';
    case 'bigint':
      return 'int';
    case 'number':
      return Number.isInteger(value) ? 'int' : 'double';
    default:
  }
  if (value === null || value === undefined) return 'null_type';
  if (Array.isArray(value)) return 'list';
  if (value instanceof CelDouble) return 'double';
  if (value instanceof CelUint) return 'uint';
  if (value instanceof Uint8Array) return 'bytes';
  if (value instanceof CelTimestamp) return 'google.protobuf.Timestamp';
  if (value instanceof CelDuration) return 'google.protobuf.Duration';
  if (value instanceof CelOptional) return 'optional_type';
  if (value instanceof CelTypeValue) return 'type';
  if (value instanceof OpaqueValue) return value.typeName;
  return 'map';
}
