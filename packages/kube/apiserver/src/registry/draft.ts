import { isJsonObject, jsonClone, jsonEqual, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Draft } from '../kinds/behaviour.ts';

/**
 * Most of what an update says is stored already. In its draft such fields are the stored object's own, frozen as they
 * are, so that nothing copies, completes, compares or freezes them again; all others belong to the request.
 */

/** Whose the parts of a body are: the request's own, or somebody's who goes on using them. */
export type Ownership = 'own' | 'lent';

/** The draft of an update to what `wanted` says. */
export function draftFrom(wanted: object, old: UnstructuredObject | undefined, ownership: Ownership): Draft {
  const sent = wanted as Draft;
  // All of the content or none, because its fields bear on each other: the stringData of a Secret goes into its data.
  const isSame = old !== undefined && hasSameContent(sent, old);
  const draft: Draft = {};
  for (const field in sent) {
    const value = sent[field];
    // Decoders refuse this key; assigning it would set the draft's prototype.
    if (field === '__proto__') continue;
    if (field === 'metadata' && isJsonObject(value)) draft[field] = metadataFrom(value, old?.metadata, ownership);
    else if (isContent(field)) draft[field] = isSame ? old[field] : own(value, ownership);
    else draft[field] = sharedOrOwn(value, old?.[field], ownership);
  }
  return draft;
}

function metadataFrom(wanted: Draft, old: Draft | undefined, ownership: Ownership): Draft {
  const draft: Draft = {};
  for (const field in wanted)
    if (field !== '__proto__') draft[field] = sharedOrOwn(wanted[field], old?.[field], ownership);
  return draft;
}

function isContent(field: string): boolean {
  return field !== 'apiVersion' && field !== 'kind' && field !== 'metadata' && field !== 'status';
}

function hasSameContent(wanted: Draft, old: UnstructuredObject): boolean {
  for (const field in wanted) if (isContent(field) && !jsonEqual(wanted[field], old[field])) return false;
  for (const field in old) if (isContent(field) && wanted[field] === undefined) return false;
  return true;
}

function sharedOrOwn(value: unknown, stored: unknown, ownership: Ownership): unknown {
  return stored !== undefined && jsonEqual(value, stored) ? stored : own(value, ownership);
}

function own<T>(value: T, ownership: Ownership): T {
  return ownership === 'lent' ? jsonClone(value) : value;
}

/** A draft that says what is stored, for an endpoint that replaces some of its fields. */
export function draftOf(object: UnstructuredObject): Draft {
  return { ...object, metadata: { ...object.metadata } };
}

/**
 * Lets an editor change the draft. One that reaches into fields shared with the stored object finds them frozen; it
 * then gets copies and begins again, which is why editors must be repeatable.
 */
export function edited(draft: Draft, edit: (draft: Draft) => void): void {
  try {
    edit(draft);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    unshare(draft);
    edit(draft);
  }
}

/** Replaces what the draft may share with the stored object by copies. */
export function unshare(draft: Draft): void {
  const { managedFields } = draft['metadata'];
  for (const field in draft) draft[field] = jsonClone(draft[field]);
  // These are replaced, never edited.
  if (managedFields !== undefined) draft['metadata'].managedFields = managedFields;
}
