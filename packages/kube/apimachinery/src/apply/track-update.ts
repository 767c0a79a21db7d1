import { formatTime } from '../clock.ts';
import type { JsonObject } from '../json.ts';
import { jsonEqual } from '../json.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '../object.ts';
import type { Schema } from '../schema-types.ts';
import type { Comparison } from './compare.ts';
import { noDifference, written } from './compare.ts';
import type { FieldSet } from './field-set.ts';
import { difference, emptySet, isEmptySet, union } from './field-set.ts';
import { entriesOfNewObject } from './new-object-fields.ts';
import type { Identity, Owner } from './owners.ts';
import { capUpdaters, decodeOwners, decodeOwnersLeniently, encodeOwners, sameOwner, withSet } from './owners.ts';
import { markUpToDate, reconcileWithSchema } from './reconcile-schema.ts';
import { strippedFields } from './stripped-fields.ts';
import { objectTypeOf } from './value-type.ts';
import type { ConvertVersion, Versioned } from './versions.ts';
import { VersionedComparison, VersionView } from './versions.ts';
import { withZeroParts, zeroObject } from './zero-object.ts';

export interface TrackUpdateOptions {
  /** The object as it was, in the request's version; undefined when it is being created. */
  readonly live: object | undefined;
  /** The object as the writer wants it. Its own managedFields count on the main resource. */
  readonly updated: object;
  readonly schema: Schema;
  readonly manager: string;
  readonly apiVersion: string;
  readonly subresource?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Fields that the endpoint ignores, such as `status` on the main resource. */
  readonly resetFields?: FieldSet;
  readonly convert?: ConvertVersion;
}

type Entries = readonly ManagedFieldsEntry[] | undefined;

function metaOf(object: { readonly metadata?: ObjectMeta } | undefined): ObjectMeta | undefined {
  return object?.metadata;
}

function entriesOf(object: object | undefined): Entries | null {
  return metaOf(object)?.managedFields;
}

/** `[]` and `[{}]` ask to forget who owns what. */
function asksForReset(entries: Entries | null): boolean {
  if (entries === undefined || entries === null) return false;
  return entries.length === 0 || (entries.length === 1 && Object.keys(entries[0] ?? {}).length === 0);
}

function ownersFor(live: Entries | null, sent: Entries | null, subresource: string): Owner[] {
  if (subresource !== '' || sent === live) return decodeOwnersLeniently(live);
  if (asksForReset(sent)) return [];
  // What clients send back is nearly always what they read; the stored entries are decoded already.
  if (jsonEqual(sent, live)) return decodeOwnersLeniently(live);
  try {
    const owners = decodeOwners(sent);
    return owners.length === 0 ? decodeOwnersLeniently(live) : owners;
  } catch {
    return decodeOwnersLeniently(live);
  }
}

function afterChange(owner: Owner, change: Comparison | undefined, self: Identity): Owner | undefined {
  if (change === undefined) return undefined;
  if (change === noDifference) return owner;
  // What the writer has set is its own again anyway, and a set that stays the same is encoded already.
  const kept = sameOwner(owner, self) ? owner.set : difference(owner.set, written(change));
  return withSet(owner, difference(kept, change.removed));
}

function addFields(owners: Owner[], self: Identity, fields: FieldSet, now: number): Owner[] {
  if (isEmptySet(fields)) return owners;
  const time = formatTime(now);
  const index = owners.findIndex((owner) => sameOwner(owner, self));
  const previous = owners[index];
  // In this order, because a union with nothing new is its first part, encoded already.
  const set = previous === undefined ? fields : union(previous.set, fields);
  const mine: Owner = { ...self, time, set, entry: undefined };
  return previous === undefined ? [...owners, mine] : owners.with(index, mine);
}

/**
 * The managedFields of an object after a create, update or patch: the writer comes to own every field it changed,
 * and everybody else loses those. Returns the stored array itself when nothing changes, and undefined when nothing is
 * tracked.
 */
export function trackUpdate(options: TrackUpdateOptions): Entries {
  const { live, updated, schema, apiVersion, subresource = '', resetFields = emptySet } = options;
  const stored = entriesOf(live);
  let owners = ownersFor(stored, entriesOf(updated), subresource);
  const exists = (metaOf(live)?.uid ?? '') !== '';
  // An object that nobody tracks stays untracked until somebody applies to it.
  if (owners.length === 0 && exists) return undefined;
  const type = objectTypeOf(schema);
  const zero = zeroObject(schema);
  const self: Identity = { manager: options.manager || 'unknown', operation: 'Update', apiVersion, subresource };
  if (live === undefined && owners.length === 0)
    return entriesOfNewObject(updated as JsonObject, type, zero, resetFields, self, options.now);
  const at = (value: object | undefined): Versioned => ({
    value: withZeroParts((value ?? {}) as JsonObject, zero),
    type,
    apiVersion,
  });
  const comparison = new VersionedComparison(new VersionView(options.convert), at(live), at(updated), resetFields);
  const change = comparison.in(apiVersion) ?? noDifference;
  if (change === noDifference && stored && encodesSame(owners, stored)) return stored;

  const reconciled = owners.map((owner) => withSet(owner, reconcileWithSchema(owner.set, type)));
  owners = reconciled.flatMap((owner) => afterChange(owner, comparison.in(owner.apiVersion), self) ?? []);
  owners = addFields(owners, self, difference(written(change), strippedFields), options.now);
  for (const owner of owners) if (owner.apiVersion === apiVersion) markUpToDate(owner.set, type);
  return encodeOwners(capUpdaters(owners), stored ?? undefined);
}

function encodesSame(owners: readonly Owner[], stored: readonly ManagedFieldsEntry[]): boolean {
  return owners.length === stored.length && owners.every((owner, index) => owner.entry === stored[index]);
}

/**
 * The live object's managedFields when nothing but their timestamps would change, so that a write without effect
 * stays one.
 */
export function keepTimestamps(next: Entries, live: Entries): Entries {
  if (next === live || next === undefined || live?.length !== next.length) return next;
  const same = next.every((entry, index) => {
    const { time: _, ...rest } = entry;
    const { time: __, ...other } = live[index] as ManagedFieldsEntry;
    return jsonEqual(rest, other);
  });
  return same ? live : next;
}
