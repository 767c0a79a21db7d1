import type { CelValue } from './value.ts';
import {
  CelDouble,
  CelDuration,
  CelMap,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  isPlainObject,
  OpaqueValue,
} from './value.ts';

/** CEL equality: numbers compare across types, everything else only with its own kind. */
export function celEqual(a: CelValue, b: CelValue): boolean {
  if (a === b) return true;
  switch (typeof a) {
    case 'string':
    case 'boolean':
    case 'undefined':
      return false;
    case 'number':
    case 'bigint':
      return numericEqual(a, b);
    default:
  }
  if (a === null || typeof b !== 'object' || b === null) {
    return a !== null && (typeof b === 'number' || typeof b === 'bigint') && numericEqual(b, a);
  }
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false;
    for (let i = 0; i < a.length; i++) if (!celEqual(a[i], b[i])) return false;
    return true;
  }
  if (isPlainObject(a)) {
    if (isPlainObject(b)) return objectsEqual(a, b);
    return b instanceof CelMap && mapsEqual(b, a);
  }
  if (a instanceof CelMap) return (b instanceof CelMap || isPlainObject(b)) && mapsEqual(a, b);
  if (a instanceof CelDouble || a instanceof CelUint) return numericEqual(a, b);
  return sameClassEqual(a as object, b);
}

function sameClassEqual(a: object, b: object): boolean {
  if (a instanceof CelTimestamp) return b instanceof CelTimestamp && a.nanos === b.nanos;
  if (a instanceof CelDuration) return b instanceof CelDuration && a.nanos === b.nanos;
  if (a instanceof Uint8Array) return b instanceof Uint8Array && compareBytes(a, b) === 0;
  if (a instanceof CelTypeValue) return b instanceof CelTypeValue && a.name === b.name;
  if (a instanceof CelOptional) {
    return b instanceof CelOptional && a.present === b.present && (!a.present || celEqual(a.value, b.value));
  }
  if (a instanceof OpaqueValue) return b instanceof OpaqueValue && a.typeName === b.typeName && a.equals(b);
  return false;
}

type Plain = { readonly [key: string]: CelValue };

/**
 * A key holding undefined is no key. What `b` inherits cannot pass for a key of its own: it either differs or is
 * missed by the count.
 */
function objectsEqual(a: Plain, b: Plain): boolean {
  let surplus = 0;
  for (const key in a) {
    const value = a[key];
    if (value === undefined) continue;
    surplus++;
    const other = b[key];
    if (value !== other && !celEqual(value, other)) return false;
  }
  for (const key in b) if (b[key] !== undefined) surplus--;
  return surplus === 0;
}

function mapsEqual(a: CelMap, b: CelValue): boolean {
  if (mapSize(b) !== a.size) return false;
  for (const [key, value] of a.entries()) {
    const other = mapGet(b, key);
    if (other === undefined || !celEqual(value, other)) return false;
  }
  return true;
}

/** Number of entries of a map in either form. */
export function mapSize(map: CelValue): number {
  if (map instanceof CelMap) return map.size;
  const values = Object.values(map as object);
  return values.includes(undefined) ? values.filter((value) => value !== undefined).length : values.length;
}

/** Value at a key, undefined when absent. A key of a type the map cannot hold is absent. */
export function mapGet(map: CelValue, key: CelValue): CelValue {
  if (map instanceof CelMap) return map.get(key);
  if (typeof key !== 'string') return undefined;
  return Object.hasOwn(map as object, key) ? (map as Record<string, unknown>)[key] : undefined;
}

export function isMap(value: CelValue): boolean {
  return value instanceof CelMap || isPlainObject(value);
}

type Comparable = { readonly exact: bigint } | { readonly float: number };

function comparable(value: CelValue): Comparable | undefined {
  if (typeof value === 'bigint') return { exact: value };
  if (typeof value === 'number') return Number.isInteger(value) ? { exact: BigInt(value) } : { float: value };
  if (value instanceof CelUint) return { exact: value.value };
  if (value instanceof CelDouble) return { float: value.value };
  return undefined;
}

/** -1, 0 or 1; undefined when a NaN is involved or either is no number. */
export function compareNumbers(a: CelValue, b: CelValue): number | undefined {
  if (typeof a === 'number' && typeof b === 'number') {
    return a < b ? -1 : a > b ? 1 : a === b ? 0 : undefined;
  }
  const x = comparable(a);
  const y = comparable(b);
  if (!x || !y) return undefined;
  if ('exact' in x && 'exact' in y) return x.exact < y.exact ? -1 : x.exact > y.exact ? 1 : 0;
  // Like cel-go, an int or uint is compared with a double as the nearest double.
  const left = 'exact' in x ? Number(x.exact) : x.float;
  const right = 'exact' in y ? Number(y.exact) : y.float;
  return left < right ? -1 : left > right ? 1 : left === right ? 0 : undefined;
}

function numericEqual(a: CelValue, b: CelValue): boolean {
  return compareNumbers(a, b) === 0;
}

export function compareBytes(a: Uint8Array, b: Uint8Array): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) if (a[i] !== b[i]) return a[i]! < b[i]! ? -1 : 1;
  return Math.sign(a.length - b.length);
}

/** By code point; UTF-16 order differs for characters beyond the basic plane. */
export function compareStrings(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  for (let i = 0; i < length; i++) {
    let x = a.charCodeAt(i);
    let y = b.charCodeAt(i);
    if (x === y) continue;
    // Surrogates sort after every other unit.
    if (x >= 0xd800 && y >= 0xd800) {
      if (x >= 0xe000) x -= 0x800;
      else x += 0x2000;
      if (y >= 0xe000) y -= 0x800;
      else y += 0x2000;
    }
    return x < y ? -1 : 1;
  }
  return Math.sign(a.length - b.length);
}
