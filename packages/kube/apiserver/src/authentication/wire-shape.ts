import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, statusErrors } from '@hypershift-ts/kube-apimachinery';

/** Reads posted reviews and token requests field by field; a value of the wrong type is a bad request naming the field. */

function wrong(path: string, expected: string, found: unknown): Error {
  const type = Array.isArray(found) ? 'array' : typeof found;
  return statusErrors.badRequest(`${path}: expected ${expected}, found ${type}`);
}

const valueAt = (parent: JsonObject, key: string): unknown => (Object.hasOwn(parent, key) ? parent[key] : undefined);

/** The object at `key`; undefined when absent or null. */
export function objectAt(parent: JsonObject, key: string, path = key): JsonObject | undefined {
  const value = valueAt(parent, key);
  if (value === undefined || value === null) return undefined;
  if (!isJsonObject(value)) throw wrong(path, 'object', value);
  return value;
}

/** The string at `key`; empty when absent or null. */
export function textAt(parent: JsonObject, key: string, path = key): string {
  const value = valueAt(parent, key);
  if (value === undefined || value === null) return '';
  if (typeof value !== 'string') throw wrong(path, 'string', value);
  return value;
}

/** The list of strings at `key`; empty when absent or null. */
export function textsAt(parent: JsonObject, key: string, path = key): readonly string[] {
  const value = valueAt(parent, key);
  if (value === undefined || value === null) return [];
  if (!Array.isArray(value)) throw wrong(path, 'array of strings', value);
  for (const one of value) if (typeof one !== 'string') throw wrong(`${path}[]`, 'string', one);
  return value as string[];
}

/** The body as an object. */
export function bodyObject(body: unknown): JsonObject {
  if (!isJsonObject(body)) throw wrong('the request body', 'object', body);
  return body;
}
