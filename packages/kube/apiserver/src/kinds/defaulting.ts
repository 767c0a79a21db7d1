import type { Draft } from './behaviour.ts';

/** Steps that defaults are written with. A field counts as left out when it is absent, null or an empty string. */

/** The object under `key`, created when there is none, as Go's struct fields always exist. */
export function child(draft: Draft, key: string): Draft {
  const value = draft[key];
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value;
  draft[key] = {};
  return draft[key];
}

/** The object under `key`, or undefined. */
export function maybe(draft: Draft | undefined, key: string): Draft | undefined {
  const value = draft?.[key];
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : undefined;
}

/** The objects of the list under `key`; an absent list is empty. */
export function items(draft: Draft | undefined, key: string): Draft[] {
  const value = draft?.[key];
  if (!Array.isArray(value)) return [];
  return value.filter((item) => typeof item === 'object' && item !== null && !Array.isArray(item));
}

export function setDefault(draft: Draft, key: string, value: unknown): void {
  const current = draft[key];
  if (current === undefined || current === null || current === '') draft[key] = value;
}

/** For numbers whose zero means "not given". */
export function setDefaultNumber(draft: Draft, key: string, value: number): void {
  const current = draft[key];
  if (current === undefined || current === null || current === 0) draft[key] = value;
}
