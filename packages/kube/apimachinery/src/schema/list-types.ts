import { type FieldError, fieldError } from '../field-error.ts';
import { isJsonObject } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import { fieldSchema } from './correlation.ts';
import { reachableTest } from './reachable.ts';

const hasUniqueList = reachableTest((schema) => {
  const type = schema['x-kubernetes-list-type'];
  return type === 'set' || type === 'map';
});

/** Duplicates in lists of `x-kubernetes-list-type` set and map, as `Duplicate value` errors. */
export function validateListTypes(value: unknown, schema: Schema, at = ''): FieldError[] {
  const errors: FieldError[] = [];
  visit(value, schema, at, errors);
  return errors;
}

function visit(value: unknown, schema: Schema, at: string, errors: FieldError[]): void {
  if (typeof value !== 'object' || value === null || !hasUniqueList(schema)) return;
  if (Array.isArray(value)) {
    const type = schema['x-kubernetes-list-type'];
    if (type === 'set') {
      for (const i of repeated(value)) errors.push(fieldError.duplicate(`${at}[${i}]`, value[i]));
    } else if (type === 'map') checkMapKeys(value, schema, at, errors);
    const { items } = schema;
    if (items && hasUniqueList(items)) {
      for (let i = 0; i < value.length; i++) visit(value[i], items, `${at}[${i}]`, errors);
    }
    return;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) {
    const field = fieldSchema(schema, name);
    if (field === undefined) continue;
    const isMapValue = field === schema.additionalProperties;
    visit(object[name], field, isMapValue ? `${at}[${name}]` : at === '' ? name : `${at}.${name}`, errors);
  }
}

function checkMapKeys(list: readonly unknown[], schema: Schema, at: string, errors: FieldError[]): void {
  const stranger = list.findIndex((item) => item !== null && !isJsonObject(item));
  if (stranger >= 0) {
    const detail = 'must be an object for an array of list-type map';
    errors.push(fieldError.invalid(`${at}[${stranger}]`, list[stranger], detail));
    return;
  }
  if (list.length < 2) return;
  const names = schema['x-kubernetes-list-map-keys'] ?? [];
  const [name] = names;
  if (names.length === 1 && name !== undefined && !hasRepeatedScalar(list, name)) return;
  const keys = list.map((item) => keyOf(item, names));
  for (const i of repeated(keys)) errors.push(fieldError.duplicate(`${at}[${i}]`, keys[i]));
}

/** The usual case in the cheapest way: one key, and no two items share it. */
function hasRepeatedScalar(list: readonly unknown[], name: string): boolean {
  const seen = new Set<unknown>();
  for (const item of list) {
    const key = isJsonObject(item) && Object.hasOwn(item, name) ? item[name] : undefined;
    // Composite keys need a closer look.
    if ((typeof key === 'object' && key !== null) || seen.has(key)) return true;
    seen.add(key);
  }
  return false;
}

function keyOf(item: unknown, names: readonly string[]): Record<string, unknown> {
  const key: Record<string, unknown> = {};
  // Sorted, because the error shows the key as Go prints a map.
  for (const name of [...names].sort()) {
    if (isJsonObject(item) && Object.hasOwn(item, name) && item[name] !== undefined) key[name] = item[name];
  }
  return key;
}

/** Indexes of values seen before; each repeated value is reported once. */
function repeated(values: readonly unknown[]): number[] {
  const times = new Map<unknown, number>();
  const found: number[] = [];
  values.forEach((value, index) => {
    const key = typeof value === 'object' && value !== null ? `\u0000${canonical(value)}` : value;
    const count = (times.get(key) ?? 0) + 1;
    times.set(key, count);
    if (count === 2) found.push(index);
  });
  return found;
}

/** JSON with sorted keys, so that equal values have equal texts. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (!isJsonObject(value)) return JSON.stringify(value) ?? 'null';
  const fields = Object.keys(value)
    .filter((name) => value[name] !== undefined)
    .sort();
  return `{${fields.map((name) => `${JSON.stringify(name)}:${canonical(value[name])}`).join(',')}}`;
}
