import type { JsonObject, JsonValue } from '../json.ts';
import type { FieldSet } from './field-set.ts';
import { asMember, fieldSet } from './field-set.ts';
import type { List } from './shapes.ts';
import { fieldType, granularList, granularMap, itemKey, own } from './shapes.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

/** A declared field with owned fields in it counts as owned itself. */
function owns(node: FieldSet | undefined, declared: boolean): boolean {
  return node !== undefined && (node.member || declared);
}

function pruneMap(value: JsonObject, map: MapType, last: FieldSet, kept: FieldSet): JsonObject | undefined {
  let result: Record<string, JsonValue | undefined> | undefined;
  for (const [name, lost] of last.fields ?? []) {
    const child = own(value, name);
    if (child === undefined) continue;
    const declared = map.field(name);
    const still = kept.fields?.get(name);
    const stays = owns(still, declared !== undefined) || !owns(lost, declared !== undefined);
    let next = stays ? prune(child, declared ?? fieldType(map, name), lost, still ?? nobody) : undefined;
    // Somebody applied the container as such, empty: it stays.
    if (next === undefined && still?.member === true) next = Array.isArray(child) ? [] : {};
    if (next === child) continue;
    result ??= { ...value };
    if (next === undefined) delete result[name];
    else result[name] = next;
  }
  if (result === undefined) return value;
  for (const name in result) if (result[name] !== undefined) return result;
  return undefined;
}

function pruneList(value: List, list: ListType, last: FieldSet, kept: FieldSet): List | undefined {
  if (last.items === undefined) return value;
  const result: JsonValue[] = [];
  let same = true;
  for (const item of value) {
    const key = itemKey(item, list);
    const lost = key === undefined ? undefined : last.items.get(key);
    if (key === undefined || lost === undefined) {
      result.push(item);
      continue;
    }
    const still = kept.items?.get(key);
    if (lost.member && still?.member !== true) {
      same = false;
      continue;
    }
    const next = prune(item, list.element, lost, still ?? nobody) ?? item;
    if (next !== item) same = false;
    result.push(next);
  }
  if (same) return value;
  return result.length === 0 ? undefined : result;
}

const nobody = fieldSet(false, undefined, undefined);

/**
 * Removes from a merged object what its applier owned last time (`last`) and nobody owns any more (`kept`, which
 * includes what the applier sets now). Containers emptied by that go too: the result is then undefined.
 */
export function prune(value: JsonValue, type: ValueType, last: FieldSet, kept: FieldSet): JsonValue | undefined {
  if (last.fields !== undefined) {
    const map = granularMap(value, type);
    if (map !== undefined) return pruneMap(value as JsonObject, map, last, kept);
  }
  const list = last.items === undefined ? undefined : granularList(value, type);
  return list === undefined ? value : pruneList(value as List, list, last, kept);
}

/** Removes every path of a set, with all that lies below it. */
export function removePaths(value: JsonValue, type: ValueType, paths: FieldSet): JsonValue | undefined {
  const map = granularMap(value, type);
  if (map !== undefined && paths.fields !== undefined) {
    const result: Record<string, JsonValue> = {};
    for (const name in value as JsonObject) {
      const child = (value as JsonObject)[name];
      const doomed = paths.fields.get(name);
      if (child === undefined || doomed?.member === true) continue;
      const next = doomed === undefined ? child : removePaths(child, fieldType(map, name), doomed);
      if (next !== undefined) result[name] = next;
    }
    return Object.keys(result).length === 0 ? undefined : result;
  }
  const list = granularList(value, type);
  if (list === undefined || paths.items === undefined) return value;
  const items: JsonValue[] = [];
  for (const item of value as List) {
    const doomed = paths.items.get(itemKey(item, list) ?? '');
    if (doomed?.member === true) continue;
    items.push(doomed === undefined ? item : (removePaths(item, list.element, doomed) ?? item));
  }
  return items.length === 0 ? undefined : items;
}

/** The set with every declared field that has owned fields in it made a path of its own. */
export function withNamedFields(set: FieldSet, type: ValueType | undefined): FieldSet {
  if (set.fields === undefined && set.items === undefined) return set;
  const fields = new Map<string, FieldSet>();
  for (const [name, node] of set.fields ?? []) {
    const declared = type?.map?.field(name);
    const below = withNamedFields(node, declared ?? type?.map?.element);
    fields.set(name, declared === undefined ? below : asMember(below));
  }
  const items = new Map<string, FieldSet>();
  for (const [key, node] of set.items ?? []) items.set(key, withNamedFields(node, type?.list?.element));
  return fieldSet(set.member, fields, items);
}
