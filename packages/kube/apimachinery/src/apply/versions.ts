import type { JsonValue } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import { StatusError } from '../status.ts';
import { compare, type Comparison, withoutFields } from './compare.ts';
import { extract } from './extract.ts';
import type { FieldSet } from './field-set.ts';
import { difference, emptySet, intersection, union } from './field-set.ts';
import type { Owner } from './owners.ts';
import { prune, removePaths, withNamedFields } from './prune.ts';
import type { ValueType } from './value-type.ts';
import { objectTypeOf } from './value-type.ts';

/** An object in another version of its kind, or undefined when that version is not known (any more). */
export type ConvertVersion = (
  object: object,
  apiVersion: string,
) => { readonly object: object; readonly schema: Schema } | undefined;

export interface Versioned {
  readonly value: JsonValue;
  readonly type: ValueType;
  readonly apiVersion: string;
}

/** Sees an object in whatever version an owner recorded its fields in. */
export class VersionView {
  private readonly convert: ConvertVersion | undefined;

  constructor(convert: ConvertVersion | undefined) {
    this.convert = convert;
  }

  /** Without a converter all versions are taken to have the same fields. */
  in(source: Versioned, apiVersion: string): Versioned | undefined {
    if (source.apiVersion === apiVersion || this.convert === undefined) return { ...source, apiVersion };
    const converted = this.convert(source.value as object, apiVersion);
    if (converted === undefined) return undefined;
    return { value: converted.object as JsonValue, type: objectTypeOf(converted.schema), apiVersion };
  }
}

/** Compares two states of an object once per version in which owners recorded their fields. */
export class VersionedComparison {
  private readonly known = new Map<string, Comparison | undefined>();
  private readonly view: VersionView;
  private readonly before: Versioned;
  private readonly after: Versioned;
  private readonly ignored: FieldSet;

  constructor(view: VersionView, before: Versioned, after: Versioned, ignored: FieldSet) {
    this.view = view;
    this.before = before;
    this.after = after;
    this.ignored = ignored;
  }

  /** The differences as that version has them; undefined when the version is unknown. */
  in(apiVersion: string): Comparison | undefined {
    if (this.known.has(apiVersion)) return this.known.get(apiVersion);
    const before = this.view.in(this.before, apiVersion);
    const after = this.view.in(this.after, apiVersion);
    const found =
      before && after ? withoutFields(compare(before.value, after.value, before.type), this.ignored) : undefined;
    this.known.set(apiVersion, found);
    return found;
  }
}

interface PruneRequest {
  readonly merged: Versioned;
  /** All owners, the applier with what it sets now. */
  readonly owners: readonly Owner[];
  /** What the applier owned before. */
  readonly last: Owner;
}

/** Removes what the applier no longer sets, when all owners speak of the same version. */
function pruneSameVersion({ merged, owners, last }: PruneRequest): JsonValue {
  let kept = emptySet;
  for (const owner of owners) kept = union(kept, owner.set);
  return prune(merged.value, merged.type, last.set, kept) ?? {};
}

function setOf({ value, type }: Versioned): FieldSet {
  return withNamedFields(extract(value, type), type);
}

/**
 * The same across versions: take away all the applier owned, then give back, version by version, what somebody
 * still owns there, and at last what nobody owned but only went with its container.
 */
function pruneAcrossVersions(view: VersionView, { merged, owners, last }: PruneRequest): JsonValue {
  const atLast = view.in(merged, last.apiVersion);
  if (atLast === undefined) return merged.value;
  const lastSet = withNamedFields(last.set, atLast.type);
  let pruned: Versioned = { ...atLast, value: removePaths(atLast.value, atLast.type, lastSet) ?? {} };
  const versions = new Set([last.apiVersion, ...owners.map((owner) => owner.apiVersion)]);
  for (const version of versions) {
    const whole = view.in(merged, version);
    const rest = view.in(pruned, version);
    if (whole === undefined || rest === undefined) continue;
    let kept = emptySet;
    for (const owner of owners) if (owner.apiVersion === version) kept = union(kept, owner.set);
    const stay = union(setOf(rest), withNamedFields(kept, whole.type));
    pruned = { ...whole, value: removePaths(whole.value, whole.type, difference(setOf(whole), stay)) ?? {} };
  }
  const back = view.in(pruned, last.apiVersion);
  if (back === undefined) return merged.value;
  const doomed = intersection(difference(setOf(atLast), setOf(back)), lastSet);
  const value = removePaths(atLast.value, atLast.type, doomed) ?? {};
  const result = view.in({ ...atLast, value }, merged.apiVersion);
  if (result === undefined) throw new StatusError(500, '', `cannot convert back to ${merged.apiVersion}`);
  return result.value;
}

export function pruneApplied(view: VersionView, request: PruneRequest, converting: boolean): JsonValue {
  const { merged, owners, last } = request;
  const oneVersion = last.apiVersion === merged.apiVersion && owners.every((o) => o.apiVersion === merged.apiVersion);
  return oneVersion || !converting ? pruneSameVersion(request) : pruneAcrossVersions(view, request);
}
