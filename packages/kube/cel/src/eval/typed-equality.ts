import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { CelType } from '../check/type.ts';
import { celEqual } from '../values/equality.ts';
import type { CelValue } from '../values/value.ts';
import { CelMap, isPlainObject } from '../values/value.ts';
import { coercerFor, fieldTypesByKey, materialize, needsConversion } from './coerce.ts';

export type Equal = (a: CelValue, b: CelValue) => boolean;

/** Equality for values of a type: by schema where it asks for more than comparing JSON. */
export function equalityFor(type: CelType): Equal {
  const isContainer = type.kind === 'list' || type.kind === 'map' || type.kind === 'struct';
  return isContainer && needsConversion(type) ? (a, b) => typedEqual(type, a, b) : celEqual;
}

function typedEqual(type: CelType, a: CelValue, b: CelValue): boolean {
  if (a === b) return true;
  if (!needsConversion(type)) return celEqual(a, b);
  if (a === null || b === null || a === undefined || b === undefined) return false;
  switch (type.kind) {
    case 'list':
      return Array.isArray(a) && Array.isArray(b) && a.length === b.length && listsEqual(type, a, b);
    case 'map':
    case 'struct':
      if (a instanceof CelMap || b instanceof CelMap) return celEqual(materialize(a, type), materialize(b, type));
      return isPlainObject(a) && isPlainObject(b) && objectsEqual(type, a, b);
    default:
      return celEqual(parsed(type, a), parsed(type, b));
  }
}

/** Numbers compare across types as they are; only texts that stand for something else must be read first. */
function parsed(type: CelType, value: CelValue): CelValue {
  return typeof value === 'string' ? (coercerFor(type)?.(value) ?? value) : value;
}

function objectsEqual(
  type: CelType,
  a: { readonly [key: string]: CelValue },
  b: { readonly [key: string]: CelValue },
): boolean {
  const fields = type.kind === 'struct' ? fieldTypesByKey(type) : undefined;
  const keys = Object.keys(a).filter((key) => a[key] !== undefined);
  if (keys.length !== Object.keys(b).filter((key) => b[key] !== undefined).length) return false;
  return keys.every((key) => {
    if (!Object.hasOwn(b, key)) return false;
    const inner = fields ? fields.get(key) : type.params[1]!;
    return inner ? typedEqual(inner, a[key], b[key]) : jsonEqual(a[key], b[key]);
  });
}

function listsEqual(type: CelType, a: readonly CelValue[], b: readonly CelValue[]): boolean {
  const item = type.params[0]!;
  switch (type.schema?.listType) {
    case 'set':
      return setsEqual(item, a, b);
    case 'map':
      return mapListsEqual(type, a, b);
    default:
      return a.every((value, i) => typedEqual(item, value, b[i]));
  }
}

/** A text two scalar values share exactly when they are equal; undefined for what has no such text. */
function scalarKey(value: CelValue): string | undefined {
  switch (typeof value) {
    case 'string':
      return `s${value}`;
    case 'number':
    case 'bigint':
      return `n${value}`;
    case 'boolean':
      return `b${value}`;
    default:
      return undefined;
  }
}

function setsEqual(item: CelType, a: readonly CelValue[], b: readonly CelValue[]): boolean {
  const keys = new Set<string>();
  for (const value of a) {
    const key = scalarKey(value);
    if (key === undefined) return everyHasPartner(item, a, b) && everyHasPartner(item, b, a);
    keys.add(key);
  }
  const seen = new Set<string>();
  for (const value of b) {
    const key = scalarKey(value);
    if (key === undefined || !keys.has(key)) return false;
    seen.add(key);
  }
  return seen.size === keys.size;
}

function everyHasPartner(item: CelType, from: readonly CelValue[], to: readonly CelValue[]): boolean {
  return from.every((value) => to.some((other) => typedEqual(item, value, other)));
}

function mapListsEqual(type: CelType, a: readonly CelValue[], b: readonly CelValue[]): boolean {
  const keys = type.schema!.listMapKeys ?? [];
  const byKey = new Map(a.map((value) => [mapListKey(keys, value), value]));
  const seen = new Set<string>();
  for (const value of b) {
    const key = mapListKey(keys, value);
    if (!byKey.has(key) || !typedEqual(type.params[0]!, byKey.get(key), value)) return false;
    seen.add(key);
  }
  return seen.size === byKey.size;
}

/** Identity of an item of a map list. */
function mapListKey(keys: readonly string[], item: CelValue): string {
  if (!isPlainObject(item)) return '';
  return JSON.stringify(keys.map((key) => (Object.hasOwn(item, key) ? item[key] : null)));
}

/** `a + b` for set and map lists: later items replace or join earlier ones, order of `a` is kept. */
export function addLists(type: CelType, a: readonly CelValue[], b: readonly CelValue[]): readonly CelValue[] {
  const { listType, listMapKeys = [] } = type.schema ?? {};
  if (listType === undefined) return a.concat(b);
  const keyOf = (item: CelValue): string =>
    listType === 'map' ? mapListKey(listMapKeys, item) : (scalarKey(item) ?? JSON.stringify(item));
  const merged = new Map(a.map((item) => [keyOf(item), item]));
  for (const item of b) if (listType === 'map' || !merged.has(keyOf(item))) merged.set(keyOf(item), item);
  return [...merged.values()];
}
