import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject, jsonEqual } from '../json.ts';
import type { List } from './shapes.ts';
import { fieldType, granularList, granularMap, isEmptyObject, itemKey, keyedItems, own } from './shapes.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

function mergeMaps(left: JsonObject, right: JsonObject, map: MapType): JsonObject {
  let result: Record<string, JsonValue | undefined> | undefined;
  for (const name in right) {
    const wanted = right[name];
    if (wanted === undefined) continue;
    const current = own(left, name);
    const merged = current === undefined ? wanted : merge(current, wanted, fieldType(map, name));
    if (merged === current) continue;
    result ??= { ...left };
    result[name] = merged;
  }
  return result ?? left;
}

/** Merges lists whose items pair up in order, the usual case; undefined when they do not. */
function mergePairs(left: List, right: List, list: ListType): List | undefined {
  if (left.length !== right.length) return undefined;
  const seen = new Set<string>();
  let result: JsonValue[] | undefined;
  for (let i = 0; i < left.length; i++) {
    const current = left[i] as JsonValue;
    const wanted = right[i] as JsonValue;
    const key = itemKey(current, list);
    if (key === undefined || key !== itemKey(wanted, list) || seen.has(key)) return undefined;
    seen.add(key);
    const merged = merge(current, wanted, list.element);
    if (merged !== current) (result ??= [...left])[i] = merged;
  }
  return result ?? left;
}

/**
 * Merges two keyed lists. Items of both come in the right side's order; items only the left side has keep their
 * place before the items they stood before.
 */
function mergeLists(left: List, right: List, list: ListType): List {
  const leftKeys = left.map((item) => itemKey(item, list));
  const before = keyedItems(left, list);
  const wanted = keyedItems(right, list).byKey;
  const rightKeys = [...wanted.keys()];
  const shared = rightKeys.filter((key) => before.byKey.has(key));
  const done = new Set<string>();
  const result: JsonValue[] = [];
  let nextShared = 0;
  let l = 0;
  let r = 0;
  const take = (key: string) => {
    const current = before.repeated?.has(key) ? undefined : before.byKey.get(key);
    const item = wanted.get(key) as JsonValue;
    result.push(current === undefined ? item : merge(current, item, list.element));
    done.add(key);
    if (shared[nextShared] === key) nextShared++;
    r++;
  };
  while (l < leftKeys.length || r < rightKeys.length) {
    const leftKey = leftKeys[l];
    const rightKey = rightKeys[r];
    if (l < leftKeys.length && (leftKey === undefined || !wanted.has(leftKey))) {
      result.push(left[l++] as JsonValue);
    } else if (leftKey !== undefined && leftKey === rightKey) {
      l++;
      take(leftKey);
    } else if (
      leftKey !== undefined &&
      rightKey !== undefined &&
      nextShared < shared.length &&
      shared[nextShared] !== leftKey
    ) {
      // This item comes later (or came already) at the place the right side gives it.
      l++;
    } else {
      if (leftKey !== undefined && done.has(leftKey)) l++;
      if (rightKey !== undefined) take(rightKey);
    }
  }
  return result.length === left.length && result.every((item, index) => item === left[index]) ? left : result;
}

/**
 * Lays `right` over `left` as the type directs. Returns `left` itself when nothing changes; otherwise a new value
 * that shares every untouched part of both.
 */
export function merge(left: JsonValue, right: JsonValue, type: ValueType): JsonValue {
  if (left === right) return left;
  const map = granularMap(left, type);
  if (map !== undefined) {
    // Applying null to an object or keyed list claims it without emptying it.
    if (right === null) return isEmptyObject(left) ? null : left;
    if (granularMap(right, type)) return mergeMaps(left as JsonObject, right as JsonObject, map);
  }
  const list = granularList(left, type);
  if (list !== undefined) {
    if (right === null) return (left as List).length === 0 ? null : left;
    if (Array.isArray(right)) {
      return mergePairs(left as List, right as List, list) ?? mergeLists(left as List, right as List, list);
    }
  }
  return jsonEqual(left, right) ? left : right;
}

/** What null means for a field: absence where it is declared, the zero value where it is an entry of a map. */
function valueOfNull(map: MapType, name: string): JsonValue | undefined {
  const declared = map.field(name);
  if (declared !== undefined) return declared.nullable ? null : undefined;
  return map.element?.scalar === 'string' && !map.element.nullable ? '' : null;
}

/** Resolves nulls that a schema does not allow, as decoding into Go types would. */
export function withoutNulls(value: JsonValue, type: ValueType): JsonValue {
  if (Array.isArray(value)) {
    const element = type.list?.element;
    if (element === undefined) return value;
    const items = (value as List).map((item) => withoutNulls(item, element));
    return items.every((item, index) => item === value[index]) ? value : items;
  }
  if (!isJsonObject(value) || type.map === undefined) return value;
  const { map } = type;
  let result: Record<string, JsonValue | undefined> | undefined;
  for (const name in value) {
    const child = value[name];
    if (child === undefined) continue;
    const kept = child === null ? valueOfNull(map, name) : withoutNulls(child, fieldType(map, name));
    if (kept === child) continue;
    result ??= { ...value };
    if (kept === undefined) delete result[name];
    else result[name] = kept;
  }
  return result ?? value;
}
