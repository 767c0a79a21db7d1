import type { KubeObject, ManagedFieldsEntry } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, jsonEqual } from '@hypershift-ts/kube-apimachinery';

type FieldSet = { readonly [element: string]: FieldSet };

/** The managedFields entry that server-side apply keeps for a manager. */
export function applyEntryOf(
  live: KubeObject,
  manager: string,
  apiVersion: string,
  subresource: string | undefined,
): ManagedFieldsEntry | undefined {
  return live.metadata.managedFields?.find(
    (entry) =>
      entry.operation === 'Apply' &&
      entry.manager === manager &&
      entry.apiVersion === apiVersion &&
      (entry.subresource ?? '') === (subresource ?? ''),
  );
}

/** Whether the manager owns exactly what `desired` states: nothing to add to its fields, nothing to give up. */
export function ownsExactly(entry: ManagedFieldsEntry, desired: object): boolean {
  const { apiVersion: _v, kind: _k, metadata, ...rest } = desired as Record<string, unknown>;
  const { name: _n, namespace: _ns, ...ownMetadata } = isJsonObject(metadata) ? metadata : {};
  const stated = Object.keys(ownMetadata).length > 0 ? { ...rest, metadata: ownMetadata } : rest;
  return agrees((entry.fieldsV1 ?? {}) as FieldSet, stated);
}

function agrees(fields: FieldSet, value: unknown): boolean {
  const elements = Object.keys(fields).filter((element) => element !== '.');
  // A leaf is owned as a whole: scalars, atomic lists and maps, and empty containers.
  if (elements.length === 0) return true;
  if (Array.isArray(value)) return agreesWithList(fields, elements, value);
  if (!isJsonObject(value)) return false;
  for (const element of elements) {
    if (!element.startsWith('f:')) return false;
    const child = value[element.slice(2)];
    if (child === undefined || child === null) return false;
    if (!agrees(fields[element] as FieldSet, child)) return false;
  }
  for (const key in value) {
    if (value[key] === undefined || value[key] === null) continue;
    if (!(`f:${key}` in fields)) return false;
  }
  return true;
}

function agreesWithList(fields: FieldSet, elements: readonly string[], list: readonly unknown[]): boolean {
  const unclaimed = new Set(list);
  for (const element of elements) {
    const item = list.find((candidate) => unclaimed.has(candidate) && isItemOf(element, candidate));
    if (item === undefined) return false;
    unclaimed.delete(item);
    if (element.startsWith('k:') && !agreesWithItem(fields[element] as FieldSet, element, item)) return false;
  }
  return unclaimed.size === 0;
}

/** Key fields that the server defaulted (a port's protocol) count as owned although nobody stated them. */
function agreesWithItem(fields: FieldSet, element: string, item: unknown): boolean {
  const keys = parsedKey(element);
  return agrees(fields, isJsonObject(item) && isJsonObject(keys) ? { ...keys, ...item } : item);
}

function isItemOf(element: string, candidate: unknown): boolean {
  if (element.startsWith('v:')) return jsonEqual(parsedKey(element), candidate);
  if (!element.startsWith('k:') || !isJsonObject(candidate)) return false;
  const keys = parsedKey(element);
  if (!isJsonObject(keys)) return false;
  return Object.keys(keys).every((key) => candidate[key] === undefined || jsonEqual(candidate[key], keys[key]));
}

function parsedKey(element: string): unknown {
  try {
    return JSON.parse(element.slice(2));
  } catch {
    return undefined;
  }
}
