import { formatTime } from '../clock.ts';
import type { JsonObject, JsonValue } from '../json.ts';
import { isJsonObject, jsonEqual } from '../json.ts';
import type { ManagedFieldsEntry, ObjectMeta } from '../object.ts';
import { parseApiVersion } from '../object.ts';
import type { Schema } from '../schema-types.ts';
import { StatusError, statusErrors } from '../status.ts';
import { compare, written } from './compare.ts';
import type { Conflict } from './conflicts.ts';
import { conflictError } from './conflicts.ts';
import { extract } from './extract.ts';
import type { FieldSet } from './field-set.ts';
import { difference, emptySet, intersection, isEmptySet, recursiveDifference, setsEqual } from './field-set.ts';
import { fieldsFromLastApplied, withLastApplied } from './last-applied.ts';
import { merge, withoutNulls } from './merge.ts';
import type { Identity, Owner } from './owners.ts';
import { decodeOwners, encodeOwners, sameOwner, withSet } from './owners.ts';
import { reconcileWithSchema } from './reconcile-schema.ts';
import { strippedFields } from './stripped-fields.ts';
import { hasType, typeProblems } from './type-check.ts';
import type { ValueType } from './value-type.ts';
import { objectTypeOf } from './value-type.ts';
import type { ConvertVersion, Versioned } from './versions.ts';
import { pruneApplied, VersionedComparison, VersionView } from './versions.ts';
import { withZeroParts, zeroObject } from './zero-object.ts';

export interface ApplyOptions {
  /** The object as it is stored, in the request's version; undefined when it does not exist. */
  readonly live: object | undefined;
  /** What the applier wants, decoded. */
  readonly config: unknown;
  readonly schema: Schema;
  readonly manager: string;
  readonly force?: boolean;
  /** The version of the request: `apps/v1`. */
  readonly apiVersion: string;
  /** The kind of the request; when given, the config must be of it. */
  readonly kind?: string;
  readonly subresource?: string;
  /** Milliseconds since the epoch. */
  readonly now: number;
  /** Fields that the endpoint ignores, such as `status` on the main resource. */
  readonly resetFields?: FieldSet;
  readonly convert?: ConvertVersion;
}

export interface ApplyResult {
  readonly object: object;
  /** False when neither the object nor who owns what has changed; `object` is then `live` itself. */
  readonly changed: boolean;
}

function showKind(apiVersion: string, kind: string): string {
  const { group, version } = parseApiVersion(apiVersion);
  return `${group}/${version}, Kind=${kind}`;
}

function checkedConfig({ config, apiVersion, kind }: ApplyOptions, type: ValueType): JsonObject {
  if (!isJsonObject(config))
    throw statusErrors.badRequest('error decoding patch: the applied configuration is no object');
  const { apiVersion: version = '', kind: given = '' } = config as { apiVersion?: string; kind?: string };
  if (kind !== undefined && (given !== kind || version !== apiVersion)) {
    throw statusErrors.badRequest(`invalid object type: ${showKind(version, given)}`);
  }
  if (version !== apiVersion) {
    throw statusErrors.badRequest(
      `Incorrect version specified in apply patch. Specified patch version: ${version}, expected: ${apiVersion}`,
    );
  }
  const meta = config['metadata'] as ObjectMeta | undefined;
  if (isJsonObject(meta) && (meta['managedFields'] ?? null) !== null) {
    throw statusErrors.badRequest('metadata.managedFields must be nil');
  }
  if (!hasType(config, type)) {
    const problems = typeProblems(config, type);
    const why = problems.length === 1 ? problems[0] : ['errors:', ...problems.map((text) => `  ${text}`)].join('\n');
    const who = `${meta?.namespace ?? ''}/${meta?.name ?? ''}; ${showKind(version, given)}`;
    throw new StatusError(500, '', `failed to create typed patch object (${who}): ${why}`);
  }
  return config;
}

function hasNull(value: JsonValue): boolean {
  if (value === null) return true;
  if (Array.isArray(value)) return value.some(hasNull);
  if (!isJsonObject(value)) return false;
  for (const key in value) {
    const child = value[key];
    if (child !== undefined && hasNull(child)) return true;
  }
  return false;
}

/** An object nobody tracked so far: whatever is there belongs to an updater from before the first apply. */
function ownersBeforeFirstApply(
  live: JsonObject,
  type: ValueType,
  { apiVersion, now, resetFields, schema }: ApplyOptions,
): Owner[] {
  const zero = zeroObject(schema);
  const all = recursiveDifference(written(compare(zero, withZeroParts(live, zero), type)), resetFields ?? emptySet);
  const set = difference(all, strippedFields);
  if (isEmptySet(set)) return [];
  const time = formatTime(now);
  return [
    { manager: 'before-first-apply', operation: 'Update', apiVersion, subresource: '', time, set, entry: undefined },
  ];
}

function liveOwners(live: JsonObject | undefined, type: ValueType, options: ApplyOptions): Owner[] {
  if (live === undefined) return [];
  let owners: Owner[];
  try {
    owners = decodeOwners((live['metadata'] as ObjectMeta | undefined)?.managedFields);
  } catch (error) {
    throw new StatusError(500, '', `failed to decode managed fields: ${(error as Error).message}`, undefined, {
      cause: error,
    });
  }
  if (owners.length === 0) return ownersBeforeFirstApply(live, type, options);
  return owners.map((owner) => withSet(owner, reconcileWithSchema(owner.set, type)));
}

interface Settled {
  readonly owners: Owner[];
  readonly conflicts: Conflict[];
}

/** Takes from the other owners what the applier changes or removes, and lists what it took without asking. */
function settle(owners: readonly Owner[], self: Identity, comparison: VersionedComparison): Settled {
  const remaining: Owner[] = [];
  const conflicts: Conflict[] = [];
  for (const owner of owners) {
    if (sameOwner(owner, self)) {
      remaining.push(owner);
      continue;
    }
    const change = comparison.in(owner.apiVersion);
    // A version that is gone takes its owners with it.
    if (change === undefined) continue;
    const taken = written(change);
    const fields = intersection(owner.set, taken);
    if (!isEmptySet(fields)) conflicts.push({ owner, fields });
    remaining.push(withSet(owner, difference(difference(owner.set, taken), change.removed)));
  }
  return { owners: remaining, conflicts };
}

function refuseConflicts(
  conflicts: readonly Conflict[],
  options: ApplyOptions,
  live: JsonObject | undefined,
  type: ValueType,
) {
  if (options.force === true || conflicts.length === 0) return;
  let remaining = conflicts;
  if (options.manager === 'kubectl' && live !== undefined) {
    const allowed = fieldsFromLastApplied(live, type, options.apiVersion);
    remaining = conflicts
      .map(({ owner, fields }) => ({ owner, fields: difference(fields, allowed) }))
      .filter(({ fields }) => !isEmptySet(fields));
  }
  if (remaining.length > 0) throw conflictError(remaining);
}

function withManagedFields(object: JsonObject, entries: readonly ManagedFieldsEntry[] | undefined): JsonObject {
  const { managedFields: _, ...meta } = (object['metadata'] ?? {}) as Record<string, unknown>;
  const metadata = (entries === undefined ? meta : { ...meta, managedFields: entries }) as JsonObject;
  return { ...object, metadata };
}

/**
 * Server-side apply: merges a configuration into an object, removes what the applier no longer sets and nobody else
 * owns, and records who owns what. Throws a StatusError: 409 for fields owned by others, 400 and 500 (as upstream
 * answers them) for configurations that are not what they should be.
 */
export function applyConfiguration(options: ApplyOptions): ApplyResult {
  const { apiVersion, schema, subresource = '', resetFields = emptySet } = options;
  const type = objectTypeOf(schema);
  const config = checkedConfig(options, type);
  const live = options.live as JsonObject | undefined;
  const owners = liveOwners(live, type, options);
  const self: Identity = { manager: options.manager || 'unknown', operation: 'Apply', apiVersion, subresource };
  const last = owners.find((owner) => sameOwner(owner, self));
  const applied = recursiveDifference(extract(config, type), resetFields);
  const set = difference(applied, strippedFields);
  const sameSet = last !== undefined && setsEqual(set, last.set);
  const time = last?.time ?? formatTime(options.now);
  const current: Owner = { ...self, time, set: applied, entry: undefined };
  const others = owners.filter((owner) => owner !== last);

  const base = live ?? {};
  let wanted = merge(base, config, type) as JsonObject;
  if (hasNull(config)) wanted = withoutNulls(wanted, type) as JsonObject;
  const view = new VersionView(options.convert);
  const at = (value: JsonValue): Versioned => ({ value, type, apiVersion });
  // Who applies the same fields as before gives none up.
  if (last !== undefined && !(sameSet && last.apiVersion === apiVersion)) {
    const request = { merged: at(wanted), owners: [...others, current], last };
    wanted = pruneApplied(view, request, options.convert !== undefined) as JsonObject;
  }
  const comparison = new VersionedComparison(view, at(base), at(wanted), resetFields);
  const settled = settle([...others, current], self, comparison);
  refuseConflicts(settled.conflicts, options, live, type);

  const sameObject = live !== undefined && (wanted === live || jsonEqual(wanted, live));
  const unchanged = sameObject && sameSet && last.apiVersion === apiVersion;
  const mine: Owner = unchanged ? last : { ...current, set: sameSet ? last.set : set, time: formatTime(options.now) };
  const entries = encodeOwners(
    settled.owners.map((owner) => (owner === current ? mine : owner)),
    (live?.['metadata'] as ObjectMeta | undefined)?.managedFields,
  );
  let result = sameObject ? live : wanted;
  if (options.manager === 'kubectl') result = withLastApplied(result, config);
  const liveEntries = (live?.['metadata'] as ObjectMeta | undefined)?.managedFields;
  if (live !== undefined && entries === liveEntries && (result === live || jsonEqual(result, live))) {
    return { object: live, changed: false };
  }
  return { object: withManagedFields(result, entries), changed: true };
}
