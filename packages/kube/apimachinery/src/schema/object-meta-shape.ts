import { isJsonObject } from '../json.ts';

/** The JSON shape of one field, with the Go type that decoding errors name. */
type Shape =
  | { readonly scalar: 'string' | 'bool' | 'number'; readonly go: string }
  | { readonly values: Shape; readonly go: string }
  | { readonly items: Shape; readonly go: string }
  | { readonly fields: ReadonlyMap<string, Shape>; readonly go: string }
  | { readonly raw: true; readonly go: string };

const text: Shape = { scalar: 'string', go: 'string' };
const flag: Shape = { scalar: 'bool', go: 'bool' };
const time: Shape = { scalar: 'string', go: 'v1.Time' };
const int64: Shape = { scalar: 'number', go: 'int64' };
const struct = (go: string, fields: Record<string, Shape>): Shape => ({ go, fields: new Map(Object.entries(fields)) });

const ownerReference = struct('v1.OwnerReference', {
  apiVersion: text,
  kind: text,
  name: text,
  uid: { scalar: 'string', go: 'types.UID' },
  controller: flag,
  blockOwnerDeletion: flag,
});

const managedFields = struct('v1.ManagedFieldsEntry', {
  manager: text,
  operation: text,
  apiVersion: text,
  time,
  fieldsType: text,
  fieldsV1: { raw: true, go: 'v1.FieldsV1' },
  subresource: text,
});

const objectMeta = struct('v1.ObjectMeta', {
  name: text,
  generateName: text,
  namespace: text,
  selfLink: text,
  uid: { scalar: 'string', go: 'types.UID' },
  resourceVersion: text,
  generation: int64,
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: int64,
  labels: { values: text, go: 'map[string]string' },
  annotations: { values: text, go: 'map[string]string' },
  ownerReferences: { items: ownerReference, go: '[]v1.OwnerReference' },
  finalizers: { items: text, go: '[]string' },
  managedFields: { items: managedFields, go: '[]v1.ManagedFieldsEntry' },
});

export interface MetaOutcome {
  /** Paths below metadata that ObjectMeta does not know; already removed. */
  readonly unknown: readonly string[];
  /** Go's decoding error for the first field of a wrong type. */
  readonly error?: string;
}

/** Brings a draft's metadata into the form of ObjectMeta: unknown fields and nulls removed in place, types checked. */
export function normaliseObjectMeta(metadata: unknown): MetaOutcome {
  const unknown: string[] = [];
  const error = visit(metadata, objectMeta, '', 'ObjectMeta', unknown);
  return error === undefined ? { unknown } : { unknown, error };
}

function visit(value: unknown, shape: Shape, path: string, owner: string, unknown: string[]): string | undefined {
  // Frozen parts are those of a stored object, which has been here.
  if (typeof value === 'object' && value !== null && Object.isFrozen(value)) return undefined;
  const mismatch = () => {
    const found = Array.isArray(value) ? 'array' : typeof value === 'boolean' ? 'bool' : typeof value;
    if (path === '') return `json: cannot unmarshal ${found} into Go value of type ${shape.go}`;
    return `json: cannot unmarshal ${found} into Go struct field ${owner}.${path.replaceAll(/\[\d+\]/g, '')} of type ${shape.go}`;
  };
  if ('raw' in shape) return undefined;
  if ('scalar' in shape) {
    const found = typeof value === 'boolean' ? 'bool' : typeof value;
    return found === shape.scalar && (found !== 'number' || Number.isInteger(value)) ? undefined : mismatch();
  }
  if ('items' in shape) {
    if (!Array.isArray(value)) return mismatch();
    for (let i = 0; i < value.length; i++) {
      if (value[i] === null) continue;
      const error = visit(value[i], shape.items, `${path}[${i}]`, owner, unknown);
      if (error !== undefined) return error;
    }
    return undefined;
  }
  if (!isJsonObject(value)) return mismatch();
  const object = value as Record<string, unknown>;
  for (const name in object) {
    const at = path === '' ? name : `${path}.${name}`;
    const field = 'values' in shape ? shape.values : shape.fields.get(name);
    if (field === undefined) {
      unknown.push(at);
      delete object[name];
    } else if (object[name] === null) {
      // Go leaves a string at its zero value, which in a map of strings still is an entry.
      if ('values' in shape) object[name] = '';
      else delete object[name];
    } else {
      const error = visit(object[name], field, 'values' in shape ? path : at, owner, unknown);
      if (error !== undefined) return error;
    }
  }
  return undefined;
}
