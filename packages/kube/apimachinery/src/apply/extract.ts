import type { JsonObject, JsonValue } from '../json.ts';
import type { FieldSet } from './field-set.ts';
import { asMember, emptySet, fieldSet, leaf } from './field-set.ts';
import type { List } from './shapes.ts';
import { fieldType, granularList, granularMap, isEmptyObject, keyedItems } from './shapes.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';

function extractMap(value: JsonObject, map: MapType): FieldSet {
  const fields = new Map<string, FieldSet>();
  for (const name in value) {
    const child = value[name];
    if (child === undefined) continue;
    const declared = map.field(name);
    let node = extract(child, declared ?? fieldType(map, name));
    // A declared field is owned through what is in it; any other is owned by being there.
    if (declared === undefined || child === null || isEmptyObject(child)) node = asMember(node);
    if (node !== emptySet) fields.set(name, node);
  }
  return fieldSet(false, fields, undefined);
}

function extractList(value: List, list: ListType): FieldSet {
  const { byKey, repeated } = keyedItems(value, list);
  const items = new Map<string, FieldSet>();
  for (const [key, item] of byKey) {
    items.set(key, repeated?.has(key) ? leaf : asMember(extract(item, list.element)));
  }
  return fieldSet(false, undefined, items);
}

/** The fields a value sets, as somebody who applies exactly this value would own them. */
export function extract(value: JsonValue, type: ValueType): FieldSet {
  const map = granularMap(value, type);
  if (map !== undefined) return extractMap(value as JsonObject, map);
  const list = granularList(value, type);
  if (list !== undefined) return extractList(value as List, list);
  if (value !== null) return leaf;
  return (type.map ?? type.list)?.atomic === false ? emptySet : leaf;
}

/** Every path of a value, containers included: what adding or removing it adds or removes. */
export function everyPath(value: JsonValue, type: ValueType): FieldSet {
  const map = granularMap(value, type);
  if (map !== undefined) {
    const fields = new Map<string, FieldSet>();
    for (const name in value as JsonObject) {
      const child = (value as JsonObject)[name];
      if (child !== undefined) fields.set(name, everyPath(child, fieldType(map, name)));
    }
    return fieldSet(true, fields, undefined);
  }
  const list = granularList(value, type);
  if (list === undefined) return leaf;
  const { byKey, repeated } = keyedItems(value as List, list);
  const items = new Map<string, FieldSet>();
  for (const [key, item] of byKey) items.set(key, repeated?.has(key) ? leaf : everyPath(item, list.element));
  return fieldSet(true, undefined, items);
}
