import {
  compilePattern,
  type FieldError,
  fieldError,
  formatFieldError,
  type Schema,
} from '@hypershift-ts/kube-apimachinery';

import { declaredField } from './schema-words.ts';

type Level = 'root' | 'items' | 'field';

/**
 * Whether a schema is structural: every field has a type outside the logical junctors, and inside them only value
 * checks stand, about fields that exist outside. Errors come sorted, as upstream sorts them.
 */
export function validateStructural(schema: Schema, at: string): FieldError[] {
  const errors: FieldError[] = [];
  checkInvariants(schema, 'root', at, errors);
  checkJunctorsComplete(schema, schema, at, at, errors);
  return errors
    .map((error) => ({ error, text: formatFieldError(error) }))
    .sort((a, b) => (a.text < b.text ? -1 : a.text > b.text ? 1 : 0))
    .map(({ error }) => error);
}

const isSet = (value: unknown) => value !== undefined && value !== null;

function checkInvariants(schema: Schema, level: Level, at: string, errors: FieldError[]): void {
  const { type = '', items, properties = {}, additionalProperties } = schema as Schema & { type?: string };
  if (type === 'array' && !items) errors.push(fieldError.required(`${at}.items`, 'must be specified'));
  if (items) checkInvariants(items, 'items', `${at}.items`, errors);
  for (const [name, field] of Object.entries(properties)) {
    checkInvariants(field, 'field', `${at}.properties[${name}]`, errors);
  }
  if (additionalProperties !== undefined) {
    if (level === 'root')
      errors.push(fieldError.forbidden(`${at}.additionalProperties`, 'must not be used at the root'));
    if (typeof additionalProperties === 'object') {
      checkInvariants(additionalProperties, 'field', `${at}.additionalProperties`, errors);
    }
  }
  checkExtensionPairs(schema, at, errors);
  checkJunctors(schema, isIntOrString(schema.anyOf), isIntOrString(schema.allOf?.[0]?.anyOf), at, errors);
  checkType(schema, type, level, at, errors);
  checkTypeMeta(schema, level, at, errors);
}

function checkExtensionPairs(schema: Schema, at: string, errors: FieldError[]): void {
  if (!schema['x-kubernetes-int-or-string']) return;
  for (const name of ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource'] as const) {
    if (schema[name]) {
      errors.push(fieldError.invalid(`${at}.${name}`, true, 'must be false if x-kubernetes-int-or-string is true'));
    }
  }
}

const emptyTypeDetail: Record<Level, string> = {
  root: 'must not be empty at the root',
  items: 'must not be empty for specified array items',
  field: 'must not be empty for specified object fields',
};

function checkType(schema: Schema, type: string, level: Level, at: string, errors: FieldError[]): void {
  const embedded = schema['x-kubernetes-embedded-resource'] === true;
  if (embedded && type !== 'object') {
    const detail = 'must be object if x-kubernetes-embedded-resource is true';
    errors.push(
      type === '' ? fieldError.required(`${at}.type`, detail) : fieldError.invalid(`${at}.type`, type, detail),
    );
  } else if (type === '' && !schema['x-kubernetes-int-or-string'] && !schema['x-kubernetes-preserve-unknown-fields']) {
    errors.push(fieldError.required(`${at}.type`, emptyTypeDetail[level]));
  }
  if (embedded && schema.additionalProperties !== undefined) {
    const detail = 'must not be used if x-kubernetes-embedded-resource is set';
    errors.push(fieldError.forbidden(`${at}.additionalProperties`, detail));
  }
  if (level === 'root' && type !== '' && type !== 'object') {
    errors.push(fieldError.invalid(`${at}.type`, type, 'must be object at the root'));
  }
  if (
    embedded &&
    !schema['x-kubernetes-preserve-unknown-fields'] &&
    Object.keys(schema.properties ?? {}).length === 0
  ) {
    const detail =
      'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields';
    errors.push(fieldError.required(`${at}.properties`, detail));
  }
}

/** apiVersion, kind and metadata are implied; a schema may only repeat what is true of them. */
function checkTypeMeta(schema: Schema, level: Level, at: string, errors: FieldError[]): void {
  const isResource = level === 'root' || schema['x-kubernetes-embedded-resource'] === true;
  for (const name of ['kind', 'apiVersion']) {
    const field = schema.properties?.[name];
    if (field && isResource && field.type !== 'string') {
      errors.push(fieldError.invalid(`${at}.properties[${name}].type`, field.type ?? '', 'must be string'));
    }
  }
  const metadata = schema.properties?.['metadata'];
  if (!metadata) return;
  const place = `${at}.properties[metadata]`;
  if (isResource && metadata.type !== 'object') {
    errors.push(fieldError.invalid(`${place}.type`, metadata.type ?? '', 'must be object'));
  }
  if (level !== 'root') return;
  const { type: _type, default: _default, properties, ...more } = metadata;
  const fields = Object.keys(properties ?? {});
  if (fields.some((name) => name !== 'name' && name !== 'generateName') || Object.values(more).some(isSet)) {
    const detail = 'must not specify anything other than name and generateName, but metadata is implicitly specified';
    errors.push(fieldError.forbidden(place, detail));
  }
}

/** The one place where types may stand inside a junctor: saying "integer or string". */
function isIntOrString(branches: readonly Schema[] | undefined): boolean {
  if (branches?.length !== 2) return false;
  return branches.every((branch, i) => Object.keys(branch).length === 1 && branch.type === ['integer', 'string'][i]);
}

function checkJunctors(
  schema: Schema,
  skipAnyOf: boolean,
  skipFirstAllOfAnyOf: boolean,
  at: string,
  errors: FieldError[],
): void {
  if (!skipAnyOf) schema.anyOf?.forEach((branch, i) => checkNested(branch, false, `${at}.anyOf[${i}]`, errors));
  schema.allOf?.forEach((branch, i) => {
    checkNested(branch, skipFirstAllOfAnyOf && i === 0, `${at}.allOf[${i}]`, errors);
  });
  schema.oneOf?.forEach((branch, i) => checkNested(branch, false, `${at}.oneOf[${i}]`, errors));
  if (schema.not) checkNested(schema.not, false, `${at}.not`, errors);
  if (schema.pattern) {
    const { error } = compilePattern(schema.pattern);
    if (error !== undefined) {
      const detail = `must be a valid regular expression, but isn't: ${error}`;
      errors.push(fieldError.invalid(`${at}.pattern`, schema.pattern, detail));
    }
  }
}

/** What may not be said inside a junctor, and how upstream words it. */
const forbiddenInside: readonly (readonly [keyof Schema, (schema: Schema) => boolean, string])[] = [
  ['type', (schema) => !!schema.type, 'must be empty to be structural'],
  ['additionalProperties', (schema) => isSet(schema.additionalProperties), 'must be undefined to be structural'],
  ['default', (schema) => isSet(schema.default), 'must be undefined to be structural'],
  ['title', (schema) => !!schema.title, 'must be empty to be structural'],
  ['description', (schema) => !!schema.description, 'must be empty to be structural'],
  ['nullable', (schema) => schema.nullable === true, 'must be false to be structural'],
  ...(
    ['x-kubernetes-preserve-unknown-fields', 'x-kubernetes-embedded-resource', 'x-kubernetes-int-or-string'] as const
  ).map((name) => [name, (schema: Schema) => schema[name] === true, 'must be false to be structural'] as const),
  [
    'x-kubernetes-list-map-keys',
    (schema) => (schema['x-kubernetes-list-map-keys']?.length ?? 0) > 0,
    'must be empty to be structural',
  ],
  ['x-kubernetes-list-type', (schema) => isSet(schema['x-kubernetes-list-type']), 'must be undefined to be structural'],
  ['x-kubernetes-map-type', (schema) => isSet(schema['x-kubernetes-map-type']), 'must be undefined to be structural'],
  [
    'x-kubernetes-validations',
    (schema) => (schema['x-kubernetes-validations']?.length ?? 0) > 0,
    'must be empty to be structural',
  ],
];

function checkNested(schema: Schema, skipAnyOf: boolean, at: string, errors: FieldError[]): void {
  checkJunctors(schema, skipAnyOf, false, at, errors);
  if (schema.items) checkNested(schema.items, false, `${at}.items`, errors);
  for (const [name, field] of Object.entries(schema.properties ?? {})) {
    checkNested(field, false, `${at}.properties[${name}]`, errors);
  }
  for (const [name, isUsed, detail] of forbiddenInside) {
    if (isUsed(schema)) errors.push(fieldError.forbidden(`${at}.${name}`, detail));
  }
  if (schema.properties?.['metadata']) {
    errors.push(fieldError.forbidden(`${at}.properties[metadata]`, 'must not be specified in a nested context'));
  }
}

/** Every field a junctor speaks of must exist outside of it. Like upstream, only asked of junctors at the root. */
function checkJunctorsComplete(nested: Schema, outer: Schema, at: string, from: string, errors: FieldError[]): void {
  const branches: (readonly [Schema, string])[] = [];
  if (nested.not) branches.push([nested.not, `${from}.not`]);
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const) {
    nested[word]?.forEach((branch, i) => branches.push([branch, `${from}.${word}[${i}]`]));
  }
  for (const [branch, place] of branches) checkBranchComplete(branch, outer, at, place, errors);
}

function checkBranchComplete(
  branch: Schema,
  outer: Schema | undefined,
  at: string,
  from: string,
  errors: FieldError[],
): void {
  if (!outer) {
    errors.push(fieldError.required(at, `because it is defined in ${from}`));
    return;
  }
  checkJunctorsComplete(branch, outer, at, from, errors);
  if (branch.items) checkBranchComplete(branch.items, outer.items, `${at}.items`, `${from}.items`, errors);
  for (const [name, field] of Object.entries(branch.properties ?? {})) {
    const place = `properties[${name}]`;
    checkBranchComplete(field, declaredField(outer, name), `${at}.${place}`, `${from}.${place}`, errors);
  }
}
