import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';
import type { FieldSet } from './field-set.ts';
import { asMember, emptySet, fieldSet, leaf } from './field-set.ts';
import { showItemKey } from './path-element.ts';
import type { List } from './shapes.ts';
import { fieldType, granularList, granularMap, isEmptyObject, itemKey, keyedItems } from './shapes.ts';
import type { ListType, MapType, ValueType } from './value-type.ts';
import { untypedAtomic } from './value-type.ts';

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

function kindOf(value: JsonValue): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (typeof value === 'object') return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return typeof value === 'boolean' ? 'bool' : 'string';
}

function scalarProblem(value: JsonValue, type: ValueType): string | undefined {
  switch (type.scalar) {
    case undefined:
      if (type.map !== undefined) return `expected map, got &{${JSON.stringify(value)}}`;
      return `expected list, got &{${JSON.stringify(value)}}`;
    case 'numeric':
      return typeof value === 'number' ? undefined : `expected numeric (int or float), got ${kindOf(value)}`;
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `expected string, got &value.valueUnstructured{Value:${JSON.stringify(value)}}`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `expected boolean, got &{${JSON.stringify(value)}}`;
    case 'untyped':
      return typeof value === 'object' ? `expected any scalar, got &{${JSON.stringify(value)}}` : undefined;
    default:
      return type.scalar satisfies never;
  }
}

function itemProblem(item: JsonValue, list: ListType): string {
  const kind = item === null ? 'null' : Array.isArray(item) ? 'list' : typeof item === 'object' ? 'map' : 'scalar';
  if (list.keys === undefined) {
    if (kind === 'map') return "associative list without keys has an element that's a map type";
    if (kind === 'list') return 'not supported: associative list with lists as elements';
    return "associative list without keys has an element that's an explicit null";
  }
  if (kind === 'null') return 'associative list with keys may not have a null element';
  if (kind !== 'map') return 'associative list with keys may not have non-map elements';
  const names = list.keys.map((key) => JSON.stringify(key)).join(' ');
  return `associative list with keys has an element that omits all key fields [${names}] (and doesn't have default values for any key fields)`;
}

function listProblems(value: List, list: ListType, path: string): string[] {
  const problems: string[] = [];
  const seen = new Set<string>();
  for (let i = 0; i < value.length; i++) {
    const item = value[i] as JsonValue;
    if (list.atomic) {
      problems.push(...typeProblems(item, list.element ?? untypedAtomic, `${path}[${i}]`));
      continue;
    }
    const key = itemKey(item, list);
    if (key === undefined) return [...problems, `${path}: element ${i}: ${itemProblem(item, list)}`];
    if (seen.has(key)) problems.push(`${path}: duplicate entries for key ${showItemKey(key)}`);
    seen.add(key);
    problems.push(...typeProblems(item, list.element, `${path}${showItemKey(key)}`));
  }
  return problems;
}

/** Why a value does not have its type: one text per problem, with the path in front. */
export function typeProblems(value: JsonValue, type: ValueType, path = ''): string[] {
  if (value === null) return [];
  if (Array.isArray(value) && type.list !== undefined) return listProblems(value as List, type.list, path);
  if (isJsonObject(value) && type.map !== undefined) {
    const { map } = type;
    const problems: string[] = [];
    for (const name in value) {
      const child = value[name];
      if (child === undefined) continue;
      const known = map.field(name) ?? map.element ?? (map.atomic ? untypedAtomic : undefined);
      if (known === undefined) problems.push(`${path}.${name}: field not declared in schema`);
      else problems.push(...typeProblems(child, known, `${path}.${name}`));
    }
    return problems;
  }
  const problem = scalarProblem(value, type);
  return problem === undefined ? [] : [`${path}: ${problem}`];
}
