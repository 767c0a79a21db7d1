import { type FieldError, fieldError } from '../field-error.ts';
import { isJsonObject, jsonClone } from '../json.ts';
import { isDNS1035Label, nameIsPathSegment, validateObjectMeta } from '../names/index.ts';
import type { ObjectMeta } from '../object.ts';
import type { Schema } from '../schema-types.ts';
import { fieldSchema } from './correlation.ts';
import { normaliseObjectMeta } from './object-meta-shape.ts';
import { reachableTest } from './reachable.ts';

const mayEmbed = reachableTest((schema) => schema['x-kubernetes-embedded-resource'] === true);

type Visitor = (resource: Record<string, unknown>, at: string) => void;

/** Visits every `x-kubernetes-embedded-resource` object inside a value. */
function eachEmbedded(value: unknown, schema: Schema | undefined, at: string, visit: Visitor): void {
  if (typeof value !== 'object' || value === null || schema === undefined || !mayEmbed(schema)) return;
  if (Array.isArray(value)) {
    for (let i = 0; i < value.length; i++) eachEmbedded(value[i], schema.items, `${at}[${i}]`, visit);
    return;
  }
  const object = value as Record<string, unknown>;
  if (schema['x-kubernetes-embedded-resource']) visit(object, at);
  for (const name in object) {
    const field = fieldSchema(schema, name);
    if (field === undefined) continue;
    const isMapValue = field === schema.additionalProperties;
    eachEmbedded(object[name], field, isMapValue ? `${at}[${name}]` : below(at, name), visit);
  }
}

const below = (at: string, name: string) => (at === '' ? name : `${at}.${name}`);

/**
 * Gives the metadata of embedded objects the form of ObjectMeta, in place. Returns the paths of removed fields and what
 * cannot be brought into form.
 */
export function normaliseEmbedded(draft: unknown, schema: Schema): { unknown: string[]; errors: FieldError[] } {
  const unknown: string[] = [];
  const errors: FieldError[] = [];
  eachEmbedded(draft, schema, '', (resource, at) => {
    if (Object.isFrozen(resource)) return;
    for (const name of ['apiVersion', 'kind']) {
      const value = resource[name];
      if (value !== undefined && typeof value !== 'string') {
        errors.push(fieldError.invalid(below(at, name), value, 'must be a string'));
      }
    }
    if (resource['metadata'] === undefined) return;
    const shown = jsonClone(resource['metadata']);
    const outcome = normaliseObjectMeta(resource['metadata']);
    const place = below(at, 'metadata');
    for (const path of outcome.unknown) unknown.push(`${place}.${path}`);
    if (outcome.error !== undefined) errors.push(fieldError.invalid(place, shown, outcome.error));
  });
  return { unknown: unknown.sort(), errors };
}

/** Checks that embedded objects are whole: apiVersion, kind and valid metadata. */
export function validateEmbedded(value: unknown, schema: Schema, at = ''): FieldError[] {
  const errors: FieldError[] = [];
  eachEmbedded(value, schema, at, (resource, place) => {
    errors.push(...validateTypeMeta(resource, place));
    const { metadata } = resource;
    if (metadata === undefined) return;
    const copy = jsonClone(metadata);
    const { error } = normaliseObjectMeta(copy);
    if (error !== undefined || !isJsonObject(copy)) {
      errors.push(fieldError.invalid(below(place, 'metadata'), metadata, error ?? 'must be an object'));
      return;
    }
    const meta = copy as ObjectMeta;
    // An embedded object need not have a name yet.
    const named = { ...meta, name: meta.name || 'fakename' };
    const rules = { namespaced: (meta.namespace ?? '') !== '', name: nameIsPathSegment };
    errors.push(...validateObjectMeta(named, rules, below(place, 'metadata')));
  });
  return errors;
}

function validateTypeMeta(resource: Record<string, unknown>, at: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const name of ['apiVersion', 'kind'] as const) {
    const value = resource[name];
    const place = below(at, name);
    if (value === undefined) errors.push(fieldError.required(place));
    else if (typeof value !== 'string') errors.push(fieldError.invalid(place, value, 'must be a string'));
    else if (value === '') errors.push(fieldError.invalid(place, value, 'must not be empty'));
    else if (name === 'apiVersion') {
      if (value.split('/').length > 2) {
        errors.push(fieldError.invalid(place, value, `unexpected GroupVersion string: ${value}`));
      }
    } else {
      const wrong = isDNS1035Label(value.toLowerCase());
      if (wrong.length > 0) {
        const detail = `may have mixed case, but should otherwise match: ${wrong.join(',')}`;
        errors.push(fieldError.invalid(place, value, detail));
      }
    }
  }
  return errors;
}
