import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { addKeyField, valueKey } from './path-element.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';
import { deduced } from './value-type.ts';

export type List = readonly JsonValue[];

/** The granular object type of a value, or undefined when the value is owned as a whole or is no object. */
export function granularMap(value: JsonValue, type: ValueType): MapType | undefined {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
  const { map } = type;
  return map === undefined || map.atomic ? undefined : map;
}

/** The list type of a value owned item by item, or undefined. */
export function granularList(value: JsonValue, type: ValueType): ListType | undefined {
  if (!Array.isArray(value)) return undefined;
  const { list } = type;
  return list === undefined || list.atomic ? undefined : list;
}

/** A member of an object; what every object inherits does not count. */
export function own(object: JsonObject, key: string): JsonValue | undefined {
  const value = object[key];
  return typeof value === 'function' ? undefined : value;
}

/** The type of a field; undeclared fields of stored objects are taken as they come. */
export function fieldType(map: MapType, name: string): ValueType {
  return map.field(name) ?? map.element ?? deduced;
}

export function isEmptyObject(value: JsonValue): boolean {
  if (!isJsonObject(value)) return false;
  for (const key in value) if (value[key] !== undefined) return false;
  return true;
}

/** What identifies an item within its list; undefined for items that cannot be identified. */
export function itemKey(item: JsonValue, list: ListType): string | undefined {
  const { keys, keyDefaults } = list;
  if (keys === undefined) {
    return typeof item === 'object' ? undefined : valueKey(item);
  }
  if (typeof item !== 'object' || item === null || Array.isArray(item)) return undefined;
  let text = '';
  for (let i = 0; i < keys.length; i++) {
    const name = keys[i] as string;
    const value = own(item as JsonObject, name) ?? keyDefaults[i];
    if (value !== undefined) text = addKeyField(text, name, value);
  }
  return text === '' ? undefined : `${text}}`;
}

/** Items by key, in order; an item whose key was seen before is listed under `repeated`. */
export interface KeyedItems {
  readonly byKey: Map<string, JsonValue>;
  readonly repeated: Map<string, JsonValue[]> | undefined;
}

export function keyedItems(value: List, list: ListType): KeyedItems {
  const byKey = new Map<string, JsonValue>();
  let repeated: Map<string, JsonValue[]> | undefined;
  for (const item of value) {
    const key = itemKey(item, list);
    if (key === undefined) continue;
    const first = byKey.get(key);
    if (first === undefined) {
      byKey.set(key, item);
      continue;
    }
    repeated ??= new Map();
    const others = repeated.get(key);
    if (others === undefined) repeated.set(key, [first, item]);
    else others.push(item);
  }
  return { byKey, repeated };
}
