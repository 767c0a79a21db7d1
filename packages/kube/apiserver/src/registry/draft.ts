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
  const draft = sharedFields(wanted as Draft, old, ownership);
  const { metadata } = wanted as Draft;
  if (isJsonObject(metadata)) draft['metadata'] = sharedFields(metadata, old?.metadata as Draft | undefined, ownership);
  return draft;
}

function sharedFields(wanted: Draft, old: Draft | undefined, ownership: Ownership): Draft {
  const draft: Draft = {};
  for (const field in wanted) {
    // Decoders refuse this key; assigning it would set the draft's prototype.
    if (field === '__proto__') continue;
    const value = wanted[field];
    const stored = old?.[field];
    if (stored !== undefined && field !== 'metadata' && jsonEqual(value, stored)) draft[field] = stored;
    else draft[field] = ownership === 'lent' ? jsonClone(value) : value;
  }
  return draft;
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
