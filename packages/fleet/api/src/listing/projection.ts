import { isJsonObject, type JsonObject, type JsonValue } from '@hypershift-ts/kube-apimachinery';
import { invalid } from '../errors/index.ts';

/** What a field may hold below it: nothing, anything, or these. */
type Shape = 'leaf' | 'any' | { readonly [name: string]: Shape };

const condition: Shape = {
  type: 'leaf',
  status: 'leaf',
  reason: 'leaf',
  message: 'leaf',
  observed_generation: 'leaf',
  created_time: 'leaf',
  last_updated_time: 'leaf',
  last_transition_time: 'leaf',
};

const resource: Shape = {
  ...Object.fromEntries(
    ['id', 'kind', 'name', 'href', 'generation', 'created_time', 'updated_time', 'created_by', 'updated_by'].map(
      (name) => [name, 'leaf'],
    ),
  ),
  deleted_time: 'leaf',
  deleted_by: 'leaf',
  spec: 'any',
  labels: 'any',
  tenancy: 'any',
  references: 'any',
  owner_references: { id: 'leaf', kind: 'leaf', href: 'leaf' },
  status: { conditions: condition, phase: 'leaf', adapters: 'any' },
};

const maxFields = 100;

/** Refuses fields no resource has. */
export function checkFields(fields: readonly string[]): void {
  if (fields.length > maxFields) throw invalid(`fields names more than ${maxFields} fields`);
  const unknown = fields.filter((field) => !exists(resource, field.split('.')));
  if (unknown.length === 0) return;
  throw invalid(
    `The following field(s) doesn't exist in \`Resource\`: ${unknown.join(', ')}`,
    unknown.map((field) => ({ field: 'fields', value: field, message: `there is no field '${field}'` })),
  );
}

function exists(shape: Shape, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined || shape === 'any') return true;
  if (shape === 'leaf') return false;
  if (name === '*') return rest.length === 0;
  const inner = Object.hasOwn(shape, name) ? shape[name] : undefined;
  return inner !== undefined && exists(inner, rest);
}

/** Only the named fields of a resource; `a.b` goes into objects and into every item of a list, `a.*` takes all of `a`. */
export function project(value: JsonObject, fields: readonly string[]): JsonObject {
  return pick(
    value,
    fields.map((field) => field.split('.')),
  ) as JsonObject;
}

function pick(value: JsonValue, paths: readonly (readonly string[])[]): JsonValue {
  if (paths.some((path) => path.length === 0 || path[0] === '*')) return value;
  if (Array.isArray(value)) return value.map((item) => pick(item as JsonValue, paths));
  if (!isJsonObject(value)) return value;
  const picked: Record<string, JsonValue> = {};
  for (const name of Object.keys(value)) {
    const inner = paths.filter((path) => path[0] === name).map((path) => path.slice(1));
    const member = value[name];
    if (inner.length > 0 && member !== undefined) picked[name] = pick(member, inner);
  }
  return picked;
}
