import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject, jsonEqual } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import { badPatch, goValue, unclassified } from './errors.ts';
import { mergeLists, orderList } from './merge-lists.ts';
import type { PatchMeta } from './patch-meta.ts';
import { patchMetaOf } from './patch-meta.ts';

const directive = '$patch';
const retainKeys = '$retainKeys';
const deleteFromList = '$deleteFromPrimitiveList';
const setElementOrder = '$setElementOrder';

function isDirectiveKey(key: string): boolean {
  return (
    key.startsWith('$') && (key === retainKeys || key.startsWith(deleteFromList) || key.startsWith(setElementOrder))
  );
}

/** A patch value as it is stored where nothing was before: no directives, no nulls. Undefined when it only deletes. */
function plainValue(value: JsonValue): JsonValue | undefined {
  if (Array.isArray(value)) {
    const kept = value.map((item: JsonValue) => plainValue(item));
    return kept.every((item, index) => item === value[index]) ? value : kept.filter((item) => item !== undefined);
  }
  if (!isJsonObject(value)) return value;
  if (value[directive] !== undefined) return undefined;
  let copy: Record<string, JsonValue> | undefined;
  for (const key in value) {
    const member = value[key];
    if (member === undefined) continue;
    const kept = member === null || isDirectiveKey(key) ? undefined : plainValue(member);
    if (kept === member) continue;
    copy ??= { ...(value as Record<string, JsonValue>) };
    if (kept === undefined) delete copy[key];
    else copy[key] = kept;
  }
  return copy ?? value;
}

function plainList(list: readonly JsonValue[]): readonly JsonValue[] {
  return plainValue(list) as readonly JsonValue[];
}

function applyDirective(patch: JsonObject): JsonObject {
  switch (patch[directive]) {
    case 'replace': {
      const { [directive]: _, ...rest } = patch;
      return rest;
    }
    case 'delete':
      return {};
    default:
      throw unclassified(`unknown patch type: ${goValue(patch[directive])} in map: ${goValue(patch)}`);
  }
}

/** The members named by `$retainKeys` survive, all others go. */
function retained(original: JsonObject, patch: JsonObject): JsonObject {
  const keys = patch[retainKeys];
  if (keys === undefined) return original;
  if (!Array.isArray(keys)) throw badPatch('invalid patch format of retainKeys');
  const keep = new Set<unknown>(keys);
  for (const key in patch) {
    if (patch[key] === null || isDirectiveKey(key)) continue;
    if (!keep.has(key)) throw badPatch('invalid patch format of retainKeys');
  }
  if (Object.keys(original).every((key) => keep.has(key))) return original;
  return Object.fromEntries(Object.entries(original).filter(([key]) => keep.has(key)));
}

function directiveTarget(key: string, prefix: string, message: string): string {
  if (key[prefix.length] !== '/') throw badPatch(message);
  return key.slice(prefix.length + 1);
}

/** An object being written: copied at the first change, so that an unchanged one stays itself. */
class ObjectDraft {
  value: JsonObject;
  private copy: Record<string, JsonValue> | undefined;

  constructor(value: JsonObject) {
    this.value = value;
  }

  get(key: string): JsonValue | undefined {
    return Object.hasOwn(this.value, key) ? this.value[key] : undefined;
  }

  set(key: string, next: JsonValue | undefined): void {
    const current = this.get(key);
    if (current === next || (current !== undefined && next !== undefined && jsonEqual(current, next))) return;
    if (!this.copy) {
      this.copy = { ...(this.value as Record<string, JsonValue>) };
      this.value = this.copy;
    }
    if (next === undefined) delete this.copy[key];
    else this.copy[key] = next;
  }
}

function typeName(value: JsonValue | undefined): string {
  if (Array.isArray(value)) return '[]interface {}';
  if (isJsonObject(value)) return 'map[string]interface {}';
  if (typeof value === 'number') return Number.isInteger(value) ? 'int64' : 'float64';
  return value === null || value === undefined ? '%!s(<nil>)' : typeof value === 'boolean' ? 'bool' : 'string';
}

function asList(value: JsonValue | undefined): readonly JsonValue[] | undefined {
  if (value === undefined || Array.isArray(value)) return value as readonly JsonValue[] | undefined;
  throw unclassified(`expected a []interface {}, but received a ${typeName(value)}`);
}

/** `$setElementOrder/<field>`: merges the field's list as usual, then brings it into the order the client wants. */
function applyOrder(draft: ObjectDraft, patch: JsonObject, key: string, meta: PatchMeta | undefined): string {
  const field = directiveTarget(key, setElementOrder, 'invalid patch format of setElementOrder list');
  const order = asList(patch[key]) ?? [];
  const current = asList(draft.get(field));
  const change = asList(patch[field]);
  if (!current && !change) return field;
  const member = meta?.member(field);
  const context = { mergeKey: member?.mergeKey ?? '', mergeItem: itemMerger(member) };
  let merged: readonly JsonValue[];
  if (!change) merged = current ?? [];
  else if (!current || member?.strategy !== 'merge') merged = plainList(change);
  else merged = mergeLists(current, change, context, field);
  draft.set(field, orderList(merged, order, current ?? [], change ?? [], context.mergeKey));
  return field;
}

function removeFromList(draft: ObjectDraft, patch: JsonObject, key: string): void {
  const field = directiveTarget(key, deleteFromList, 'invalid patch format of primitive list');
  const current = draft.get(field);
  const doomed = patch[key];
  if (!Array.isArray(current) || !Array.isArray(doomed)) return;
  const gone = new Set<unknown>(doomed);
  draft.set(
    field,
    current.filter((item: JsonValue) => !gone.has(item)),
  );
}

const itemMerger = (meta: PatchMeta | undefined) => (original: JsonObject, patch: JsonObject) =>
  mergeObjects(original, patch, meta?.items);

function mergeMember(current: JsonValue | undefined, change: JsonValue, meta: PatchMeta | undefined, field: string) {
  if (Array.isArray(current) && Array.isArray(change)) {
    if (meta?.strategy !== 'merge') return plainList(change as readonly JsonValue[]);
    return mergeLists(current, change, { mergeKey: meta.mergeKey, mergeItem: itemMerger(meta) }, field);
  }
  if (isJsonObject(current) && isJsonObject(change)) {
    if (meta?.strategy === 'replace') return plainValue(change);
    return mergeObjects(current, change, meta);
  }
  return plainValue(change);
}

function mergeObjects(original: JsonObject, patch: JsonObject, meta: PatchMeta | undefined): JsonObject {
  if (patch[directive] !== undefined) return applyDirective(patch);
  const draft = new ObjectDraft(retained(original, patch));
  const ordered = new Set<string>();
  for (const key in patch) if (key.startsWith(setElementOrder)) ordered.add(applyOrder(draft, patch, key, meta));
  for (const key in patch) {
    if (key === '__proto__') throw badPatch('the member name "__proto__" is not supported');
    const change = patch[key];
    if (change === undefined || key === retainKeys || ordered.has(key) || key.startsWith(setElementOrder)) continue;
    if (key.startsWith(deleteFromList)) removeFromList(draft, patch, key);
    else if (change === null) draft.set(key, undefined);
    else draft.set(key, mergeMember(draft.get(key), change, meta?.member(key), key));
  }
  return draft.value;
}

/**
 * Strategic merge patch as the schema's `x-kubernetes-patch-*` extensions direct it. Returns the document itself when
 * nothing changes; otherwise a new value that shares every untouched part.
 */
export function applyStrategicMergePatch<T extends object>(document: T, patch: unknown, schema: Schema): T {
  if (!isJsonObject(patch)) throw badPatch('invalid JSON document');
  return mergeObjects(document as unknown as JsonObject, patch, patchMetaOf(schema)) as unknown as T;
}
