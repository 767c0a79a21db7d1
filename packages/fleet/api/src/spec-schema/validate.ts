import { type FieldError, type JsonObject, type Schema, validateValue } from '@hypershift-ts/kube-apimachinery';
import { type Constraint, type FieldProblem, invalid } from '../errors/index.ts';
import { type Entity, type Registry, RegistryError } from '../registry/index.ts';
import type { SchemaDocument } from './document.ts';

const maxProblems = 50;

/** Checks the spec of a kind by the provider's schema; throws a 400 problem naming every wrong field. */
export type SpecValidator = (entity: Entity, spec: JsonObject) => void;

/** The validator of all kinds. Throws `RegistryError` when a kind requires a schema the document does not have. */
export function specValidator(registry: Registry, document: SchemaDocument): SpecValidator {
  const schemas = new Map<string, Schema>();
  for (const { kind, spec_schema_name: name, require_spec_schema: isRequired } of registry.entities) {
    const schema = name === undefined ? undefined : document.schema(name);
    if (schema) schemas.set(kind, schema);
    else if (isRequired) {
      throw new RegistryError(
        `entity ${kind} requires a spec schema, but the OpenAPI document has no component "${name ?? ''}"; add it or set require_spec_schema to false`,
      );
    }
  }
  return ({ kind, spec_schema_name: name }, spec) => {
    const schema = schemas.get(kind);
    if (!schema) return;
    const errors = validateValue(spec, schema, 'spec');
    if (errors.length > 0) throw invalid(`Invalid ${name}`, errors.slice(0, maxProblems).map(problemOf));
  };
}

const constraints: readonly [RegExp, Constraint][] = [
  [/should be at least \d+ chars|should have at least/, 'min_length'],
  [/should be at most|may not be more than/, 'max_length'],
  [/should match/, 'pattern'],
  [/should be greater than/, 'min'],
  [/should be less than/, 'max'],
  [/must be of type/, 'format'],
  [/duplicates/, 'unique'],
];

const byType: Partial<Record<FieldError['type'], Constraint>> = {
  FieldValueRequired: 'required',
  FieldValueNotSupported: 'enum',
  FieldValueTooLong: 'max_length',
  FieldValueTooMany: 'max',
  FieldValueDuplicate: 'unique',
};

function problemOf({ type, field, message }: FieldError): FieldProblem {
  // `Invalid value: 5: a.b in body should be ...`: the value may be a secret and the field is told apart.
  const [, rest] = / in body (.*)$/s.exec(message) ?? [];
  const constraint = byType[type] ?? constraints.find(([form]) => form.test(message))?.[1];
  return {
    field: field === '' ? 'spec' : field,
    ...(constraint ? { constraint } : {}),
    message: rest ?? message.replace(/^(Invalid|Unsupported) value: .*?: supported/s, 'supported'),
  };
}
