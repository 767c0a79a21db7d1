import type { ManagedFieldsEntry } from '../object.ts';
import type { FieldSet } from './field-set.ts';
import { isEmptySet, setsEqual, union } from './field-set.ts';
import { decodeFieldsV1, encodeFieldsV1 } from './fields-v1.ts';

/** One line of managedFields, decoded. */
export interface Owner {
  readonly manager: string;
  readonly operation: 'Apply' | 'Update';
  readonly apiVersion: string;
  readonly subresource: string;
  readonly time: string | undefined;
  readonly set: FieldSet;
  /** The entry this was read from, while nothing about it changed. */
  readonly entry: ManagedFieldsEntry | undefined;
}

class ManagedFieldsError extends Error {
  override readonly name = 'ManagedFieldsError';
}

function decodeEntry(entry: ManagedFieldsEntry, index: number): Owner {
  const { operation, apiVersion = '', fieldsType, manager = '', subresource = '', time, fieldsV1 } = entry;
  if (operation !== 'Apply' && operation !== 'Update') {
    throw new ManagedFieldsError('operation must be `Apply` or `Update`');
  }
  if (apiVersion === '') throw new ManagedFieldsError('apiVersion must not be empty');
  if (fieldsType === undefined) throw new ManagedFieldsError(`missing fieldsType in managed fields entry ${index}`);
  if (fieldsType !== 'FieldsV1') {
    throw new ManagedFieldsError(`invalid fieldsType "${String(fieldsType)}" in managed fields entry ${index}`);
  }
  return { manager, operation, apiVersion, subresource, time, set: decodeFieldsV1(fieldsV1 ?? {}), entry };
}

/** Reads managedFields. Throws when an entry is not in order. */
export function decodeOwners(entries: readonly ManagedFieldsEntry[] | null | undefined): Owner[] {
  return (entries ?? []).map(decodeEntry);
}

/** The owners, or none when what is stored cannot be read: tracking then starts anew. */
export function decodeOwnersLeniently(entries: readonly ManagedFieldsEntry[] | null | undefined): Owner[] {
  try {
    return decodeOwners(entries);
  } catch {
    return [];
  }
}

/** Who an owner is. An applier is the same whatever version it applies. */
export function sameOwner(a: Identity, b: Identity): boolean {
  return (
    a.manager === b.manager &&
    a.operation === b.operation &&
    a.subresource === b.subresource &&
    (a.operation === 'Apply' || a.apiVersion === b.apiVersion)
  );
}

export type Identity = Pick<Owner, 'manager' | 'operation' | 'apiVersion' | 'subresource'>;

/** An owner with another set; the very same owner when the sets are equal. */
export function withSet(owner: Owner, set: FieldSet): Owner {
  return owner.set === set || setsEqual(owner.set, set) ? owner : { ...owner, set, entry: undefined };
}

function encodeOwner(owner: Owner): ManagedFieldsEntry {
  if (owner.entry !== undefined) return owner.entry;
  const { manager, operation, apiVersion, time, subresource, set } = owner;
  return Object.freeze({
    ...(manager === '' ? {} : { manager }),
    operation,
    apiVersion,
    ...(time === undefined ? {} : { time }),
    fieldsType: 'FieldsV1',
    fieldsV1: encodeFieldsV1(set),
    ...(subresource === '' ? {} : { subresource }),
  });
}

const seconds = (time: string | undefined): number => (time === undefined ? 0 : Math.floor(Date.parse(time) / 1000));
const byText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

function byAge(a: Owner, b: Owner): number {
  return (
    byText(a.operation, b.operation) ||
    (a.time === b.time ? 0 : seconds(a.time) - seconds(b.time)) ||
    byText(a.manager, b.manager) ||
    byText(a.apiVersion, b.apiVersion) ||
    byText(a.subresource, b.subresource)
  );
}

/** Writes managedFields: appliers first, then by age. Returns `previous` itself when nothing changed. */
export function encodeOwners(
  owners: readonly Owner[],
  previous: readonly ManagedFieldsEntry[] | undefined,
): readonly ManagedFieldsEntry[] | undefined {
  const entries = owners
    .filter((owner) => !isEmptySet(owner.set))
    .sort(byAge)
    .map(encodeOwner);
  if (previous?.length === entries.length && entries.every((entry, index) => entry === previous[index]))
    return previous;
  return entries.length === 0 ? undefined : Object.freeze(entries);
}

const maxUpdaters = 10;

/** Folds the oldest updaters of a version into one, so that managedFields cannot grow without bound. */
export function capUpdaters(owners: readonly Owner[]): readonly Owner[] {
  const updaters = owners.filter((owner) => owner.operation === 'Update');
  let excess = updaters.length - maxUpdaters;
  if (excess <= 0) return owners;
  const identity = (owner: Owner) => `${owner.manager}\0${owner.apiVersion}\0${owner.subresource}`;
  updaters.sort((a, b) => seconds(a.time) - seconds(b.time) || byText(identity(a), identity(b)));
  const result = new Set(owners);
  const buckets = new Map<string, Owner>();
  for (const owner of updaters) {
    if (excess <= 0) break;
    const bucket = buckets.get(owner.apiVersion);
    if (bucket === undefined) {
      buckets.set(owner.apiVersion, owner);
      continue;
    }
    const folded: Owner = {
      ...bucket,
      manager: 'ancient-changes',
      subresource: '',
      time: owner.time,
      set: union(owner.set, bucket.set),
      entry: undefined,
    };
    result.delete(bucket);
    result.delete(owner);
    result.add(folded);
    buckets.set(owner.apiVersion, folded);
    excess--;
  }
  return [...result];
}
