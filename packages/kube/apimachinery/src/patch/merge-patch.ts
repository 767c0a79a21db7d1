import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject, jsonEqual } from '../json.ts';
import { badPatch } from './errors.ts';

/** A value as a patch leaves it where nothing was before: members set to null are not there. */
function withoutNulls(value: JsonValue): JsonValue {
  if (!isJsonObject(value)) return value;
  let copy: Record<string, JsonValue> | undefined;
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    const kept = member === null ? undefined : withoutNulls(member);
    if (kept === member) continue;
    copy ??= { ...(value as Record<string, JsonValue>) };
    if (kept === undefined) delete copy[key];
    else copy[key] = kept;
  }
  return copy ?? value;
}

function merge(target: JsonValue | undefined, patch: JsonValue): JsonValue {
  if (!isJsonObject(patch)) return target !== undefined && jsonEqual(target, patch) ? target : patch;
  if (!isJsonObject(target)) return withoutNulls(patch);
  let copy: Record<string, JsonValue | undefined> | undefined;
  for (const key in patch) {
    if (key === '__proto__') throw badPatch('the member name "__proto__" is not supported');
    const change = patch[key];
    if (change === undefined) continue;
    const current = Object.hasOwn(target, key) ? target[key] : undefined;
    if (change === null) {
      if (current === undefined) continue;
      copy ??= { ...target };
      delete copy[key];
      continue;
    }
    const merged = merge(current, change);
    if (merged === current) continue;
    copy ??= { ...target };
    copy[key] = merged;
  }
  return copy ?? target;
}

/**
 * JSON merge patch (RFC 7386). Returns the document itself when the patch changes nothing; otherwise a new value
 * that shares every untouched part.
 */
export function applyMergePatch<T extends object>(document: T, patch: unknown): T {
  if (!isJsonObject(patch)) throw badPatch('Invalid JSON Patch');
  return merge(document as unknown as JsonObject, patch) as unknown as T;
}

/** The smallest merge patch that turns `from` into `to`; an empty object when they are equal. */
export function createMergePatch(from: JsonObject, to: JsonObject): JsonObject {
  const patch: Record<string, JsonValue> = {};
  const member = (object: JsonObject, key: string) => (Object.hasOwn(object, key) ? object[key] : undefined);
  for (const key in from) {
    if (from[key] !== undefined && member(to, key) === undefined) patch[key] = null;
  }
  for (const key in to) {
    const next = to[key];
    const previous = member(from, key);
    if (next === undefined || (previous !== undefined && jsonEqual(previous, next))) continue;
    patch[key] = isJsonObject(next) && isJsonObject(previous) ? createMergePatch(previous, next) : next;
  }
  return patch;
}
