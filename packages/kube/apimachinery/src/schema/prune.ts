import type { Schema } from '../schema-types.ts';
import { fieldSchema } from './correlation.ts';

export interface PruneOptions {
  /** The value is a whole object: apiVersion, kind and metadata stay even when the schema does not list them. */
  readonly resourceRoot?: boolean;
  /**
   * Objects whose schema lists no fields keep everything. Built-in kinds describe raw JSON that way, while in a CRD an
   * object without fields is empty.
   */
  readonly keepUndescribed?: boolean;
  /** Also drop nulls where the schema is neither nullable nor has a default to put there. */
  readonly dropNulls?: boolean;
}

const typeAndObjectMeta = new Set(['apiVersion', 'kind', 'metadata']);

/**
 * Removes from a draft what its schema does not know and returns the removed paths, sorted, as `spec.ports[0].foo`.
 * `x-kubernetes-preserve-unknown-fields` keeps unknown fields, yet the known ones below are still pruned.
 */
export function pruneUnknownFields(draft: unknown, schema: Schema, options: PruneOptions = {}): string[] {
  const removed: string[] = [];
  prune(draft, schema, { isResource: options.resourceRoot === true, keep: false }, '', options, removed);
  return removed.sort();
}

/** What the place itself demands, beside its schema. */
interface Place {
  readonly isResource: boolean;
  /** An array that preserves unknown fields says so for its items. */
  readonly keep: boolean;
}

const plain: Place = { isResource: false, keep: false };
const resource: Place = { isResource: true, keep: false };
const keeping: Place = { isResource: false, keep: true };
const keepingResource: Place = { isResource: true, keep: true };

function placeOf(schema: Schema | undefined, keep = false): Place {
  if (schema?.['x-kubernetes-embedded-resource'] === true) return keep ? keepingResource : resource;
  return keep ? keeping : plain;
}

function prune(
  value: unknown,
  schema: Schema | undefined,
  place: Place,
  path: string,
  options: PruneOptions,
  removed: string[],
): void {
  // Frozen parts are those of a stored object, which was pruned.
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  const keeps = place.keep || keepsUnknown(schema, options);
  if (Array.isArray(value)) {
    const items = schema?.items;
    if (keeps && items === undefined) return;
    const itemPlace = placeOf(items, keeps);
    for (let i = 0; i < value.length; i++) prune(value[i], items, itemPlace, `${path}[${i}]`, options, removed);
    return;
  }
  const object = value as Record<string, unknown>;
  for (const name in object) {
    if (place.isResource && typeAndObjectMeta.has(name)) continue;
    const field = object[name];
    const known = schema && fieldSchema(schema, name);
    if (known) {
      if (field === null && options.dropNulls && isUnwantedNull(known)) delete object[name];
      else if (typeof field === 'object') prune(field, known, placeOf(known), below(path, name), options, removed);
    } else if (typeof schema?.additionalProperties === 'boolean') {
      // A closed map keeps its keys too: refusing them is validation's task.
      if (typeof field === 'object') prune(field, undefined, plain, below(path, name), options, removed);
    } else if (!keeps) {
      removed.push(below(path, name));
      delete object[name];
    }
  }
}

function below(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function keepsUnknown(schema: Schema | undefined, options: PruneOptions): boolean {
  if (schema?.['x-kubernetes-preserve-unknown-fields']) return true;
  if (!options.keepUndescribed) return false;
  return schema === undefined || (schema.properties === undefined && schema.additionalProperties === undefined);
}

function isUnwantedNull(schema: Schema): boolean {
  return schema.nullable !== true && (schema.default === undefined || schema.default === null);
}
