import { isEmpty } from '../values.ts';

/**
 * Equality as Go clients live it: a field with an empty value and an absent field are the same, because that is how
 * they write back what they read. Without it, an update that changes nothing would look like a change.
 */
export function semanticEqual(a: unknown, b: unknown): boolean {
  if (a === b || (isEmpty(a) && isEmpty(b))) return true;
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => semanticEqual(item, b[index]));
  const left = asObject(a);
  const right = asObject(b);
  if (left === undefined || right === undefined) return false;
  for (const key of Object.keys(left)) if (!semanticEqual(left[key], right[key])) return false;
  for (const key of Object.keys(right))
    if (!(key in left) && !isEmpty(right[key]) && !semanticEqual(undefined, right[key])) return false;
  return true;
}

/** Something absent compares like an object without fields. */
function asObject(value: unknown): Record<string, unknown> | undefined {
  if (value === undefined || value === null) return {};
  return typeof value === 'object' && !Array.isArray(value) ? (value as Record<string, unknown>) : undefined;
}
