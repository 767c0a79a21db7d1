import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** A config document whose values would leave nodes unable to run. */
export class ConfigKindError extends Error {
  override readonly name = 'ConfigKindError';
}

/** The object in a field; empty when there is none. */
export function objectAt(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

/** As Go prints a value in a message. */
export function goText(value: JsonValue | undefined): string {
  if (value === undefined || value === null) return '';
  if (typeof value !== 'object') return String(value);
  if (Array.isArray(value)) return `[${(value as readonly JsonValue[]).map(goText).join(' ')}]`;
  const object = value as JsonObject;
  const members = Object.keys(object)
    .sort()
    .map((key) => `${key}:${goText(object[key])}`);
  return `map[${members.join(' ')}]`;
}
