import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from './behaviour.ts';

/** Reading JSON whose shape is known from the schema but may have holes: an absent part reads as empty. */

const nothing: Draft = Object.freeze({});
const noItems: readonly Draft[] = Object.freeze([]);

function isObject(value: unknown): value is Draft {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

export function fieldsOf(value: unknown): Draft {
  return isObject(value) ? value : nothing;
}

/** The items of a list of objects; anything in it that is no object reads as an empty one, so that indexes stay true. */
export function listOf(value: unknown): readonly Draft[] {
  if (!Array.isArray(value)) return noItems;
  return value.every(isObject) ? value : value.map(fieldsOf);
}

export function stringsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map((item) => (typeof item === 'string' ? item : '')) : [];
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

export function numberOf(value: unknown, fallback = 0): number {
  return typeof value === 'number' ? value : fallback;
}

export function specOf(object: UnstructuredObject | Draft): Draft {
  return fieldsOf((object as Draft)['spec']);
}

export function statusOf(object: UnstructuredObject | Draft): Draft {
  return fieldsOf((object as Draft)['status']);
}

export function isSet(value: unknown): boolean {
  return value !== undefined && value !== null;
}

/** What `omitempty` would leave out: null, the empty string, zero, false, the empty list and the empty map. */
export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === 'object' && Object.keys(value).length === 0;
}
