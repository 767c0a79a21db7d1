import type { JsonValue } from '../json.ts';
import { isJsonObject } from '../json.ts';
import { showItemKey } from './path-element.ts';
import type { List } from './shapes.ts';
import { itemKey } from './shapes.ts';
import type { ListType, ValueType } from './value-type.ts';
import { untypedAtomic } from './value-type.ts';

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

/** The element type of a list; what an atomic list of unknown items holds is anything. */
const elementOf = (list: ListType): ValueType => list.element ?? untypedAtomic;

/** Whether a value has its type: the same verdict as `typeProblems`, without the words. */
export function hasType(value: JsonValue, type: ValueType): boolean {
  if (value === null) return true;
  if (Array.isArray(value) && type.list !== undefined) {
    const { list } = type;
    const seen = list.atomic ? undefined : new Set<string>();
    for (const item of value as List) {
      const key = seen === undefined ? '' : itemKey(item, list);
      if (key === undefined || seen?.has(key) === true || !hasType(item, elementOf(list))) return false;
      seen?.add(key);
    }
    return true;
  }
  if (!isJsonObject(value) || type.map === undefined) return scalarProblem(value, type) === undefined;
  const { map } = type;
  for (const name in value) {
    const child = value[name];
    if (child === undefined) continue;
    const known = map.field(name) ?? map.element ?? (map.atomic ? untypedAtomic : undefined);
    if (known === undefined || !hasType(child, known)) return false;
  }
  return true;
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
      problems.push(...typeProblems(item, elementOf(list), `${path}[${i}]`));
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
