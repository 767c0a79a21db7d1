import { type FieldError, fieldError, type Schema } from '@hypershift-ts/kube-apimachinery';
import type { WrittenSchema } from './types.ts';

/** A field by name; names every JavaScript object has, such as `constructor`, are no fields. */
export function declaredField(schema: Schema, name: string): Schema | undefined {
  return schema.properties && Object.hasOwn(schema.properties, name) ? schema.properties[name] : undefined;
}

const types = ['array', 'boolean', 'integer', 'number', 'object', 'string'];

/** Facts about the place of a schema that decide what it may say. */
export interface SchemaPlace {
  /** Set where defaults are forbidden, with the reason to give. */
  readonly noDefaults?: string;
  /** Below apiVersion, kind or metadata of a resource. */
  readonly insideMeta: boolean;
  /** The nearest list or map above that keeps `oldSelf` from being found. */
  readonly uncorrelatable?: string;
}

/** Words of JSON Schema that Kubernetes refuses, wherever they stand. */
export function validateWords(schema: Schema, place: SchemaPlace, at: string): FieldError[] {
  const written = schema as unknown as WrittenSchema;
  const errors: FieldError[] = [];
  const { type } = written;
  if (type && !types.includes(type)) errors.push(fieldError.notSupported(`${at}.type`, type, types));
  if (schema.default !== undefined && schema.default !== null && place.noDefaults !== undefined) {
    errors.push(fieldError.forbidden(`${at}.default`, `must not be set ${place.noDefaults}`));
  }
  const unsupported = (['id', 'additionalItems', 'patternProperties', 'definitions', 'dependencies', '$ref'] as const)
    // An empty object or text is as good as nothing said.
    .filter((word) => written[word] !== undefined && written[word] !== '' && !isEmptyObject(written[word]));
  for (const word of unsupported) errors.push(fieldError.forbidden(`${at}.${word}`, `${word} is not supported`));
  if (type === 'null') {
    errors.push(fieldError.forbidden(`${at}.type`, 'type cannot be set to null, use nullable as an alternative'));
  }
  if (Array.isArray(written.items)) {
    errors.push(fieldError.forbidden(`${at}.items`, 'items must be a schema object and not an array'));
  }
  if (place.insideMeta && schema['x-kubernetes-embedded-resource']) {
    const detail = 'must not be used inside of resource meta';
    errors.push(fieldError.forbidden(`${at}.x-kubernetes-embedded-resource`, detail));
  }
  if (schema.uniqueItems) {
    const detail = 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic';
    errors.push(fieldError.forbidden(`${at}.uniqueItems`, detail));
  }
  const { additionalProperties } = schema;
  if (additionalProperties !== undefined && additionalProperties !== true && !isEmptyObject(schema.properties ?? {})) {
    const detail = 'additionalProperties and properties are mutual exclusive';
    errors.push(fieldError.forbidden(`${at}.additionalProperties`, detail));
  }
  return errors;
}

function isEmptyObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** The rules of `x-kubernetes-*` list and map types. */
export function validateTopology(schema: Schema, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const type: string = schema.type ?? '';
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) {
    errors.push(fieldError.invalid(`${at}.x-kubernetes-preserve-unknown-fields`, false, 'must be true or undefined'));
  }
  const mapType: string | undefined = schema['x-kubernetes-map-type'];
  if (mapType !== undefined) {
    if (type !== 'object') errors.push(wrongType(at, type, 'must be object if x-kubernetes-map-type is specified'));
    if (mapType !== 'atomic' && mapType !== 'granular') {
      errors.push(fieldError.notSupported(`${at}.x-kubernetes-map-type`, mapType, ['atomic', 'granular']));
    }
  }
  const listType: string | undefined = schema['x-kubernetes-list-type'];
  if (listType !== undefined) {
    if (type !== 'array') errors.push(wrongType(at, type, 'must be array if x-kubernetes-list-type is specified'));
    else if (listType === 'set' && schema.items) errors.push(...validateSetItems(schema.items, `${at}.items`));
    if (!['atomic', 'set', 'map'].includes(listType)) {
      errors.push(fieldError.notSupported(`${at}.x-kubernetes-list-type`, listType, ['atomic', 'set', 'map']));
    }
  }
  errors.push(...validateMapKeys(schema, listType, at));
  if (schema.items?.nullable && (listType === 'set' || listType === 'map')) {
    const detail = `cannot be nullable when x-kubernetes-list-type is ${listType}`;
    errors.push(fieldError.forbidden(`${at}.items.nullable`, detail));
  }
  if (listType === 'map' && schema.items) errors.push(...validateKeysAlwaysThere(schema, schema.items, at));
  return errors;
}

function wrongType(at: string, type: string, detail: string): FieldError {
  return type === '' ? fieldError.required(`${at}.type`, detail) : fieldError.invalid(`${at}.type`, type, detail);
}

function validateSetItems(items: Schema, at: string): FieldError[] {
  const detail = 'must be atomic as item of a list with x-kubernetes-list-type=set';
  const listType = items['x-kubernetes-list-type'];
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    return [fieldError.invalid(`${at}.x-kubernetes-list-type`, listType, detail)];
  }
  if (items.type === 'object' && items['x-kubernetes-map-type'] !== 'atomic') {
    return [fieldError.invalid(`${at}.x-kubernetes-map-type`, items['x-kubernetes-map-type'] ?? null, detail)];
  }
  return [];
}

function validateMapKeys(schema: Schema, listType: string | undefined, at: string): FieldError[] {
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const errors: FieldError[] = [];
  if (keys.length > 0 && listType !== 'map') {
    const detail = 'must be map if x-kubernetes-list-map-keys is non-empty';
    const place = `${at}.x-kubernetes-list-type`;
    errors.push(
      listType === undefined ? fieldError.required(place, detail) : fieldError.invalid(place, listType, detail),
    );
  }
  if (listType !== 'map') return errors;
  const keysAt = `${at}.x-kubernetes-list-map-keys`;
  if (keys.length === 0) errors.push(fieldError.required(keysAt, 'must not be empty if x-kubernetes-list-type is map'));
  const { items } = schema;
  if (!items) {
    errors.push(fieldError.required(`${at}.items`, 'must have a schema if x-kubernetes-list-type is map'));
    return errors;
  }
  if (items.type !== 'object') {
    const detail = "must be object if parent array's x-kubernetes-list-type is map";
    errors.push(fieldError.invalid(`${at}.items.type`, items.type ?? '', detail));
    return errors;
  }
  const seen = new Set<string>();
  for (const key of keys) {
    const field = declaredField(items, key);
    if (!field) errors.push(fieldError.invalid(keysAt, keys, 'entries must all be names of item properties'));
    else if (field.type === 'array' || field.type === 'object') {
      const detail = "must be a scalar type if parent array's x-kubernetes-list-type is map";
      errors.push(fieldError.invalid(`${at}.items.properties[${key}].type`, items.type, detail));
    }
    if (seen.has(key)) errors.push(fieldError.invalid(keysAt, keys, 'must not contain duplicate entries'));
    seen.add(key);
  }
  return errors;
}

/** A key that may be missing could not tell items apart. */
function validateKeysAlwaysThere(schema: Schema, items: Schema, at: string): FieldError[] {
  const errors: FieldError[] = [];
  const required = new Set(items.required);
  for (const key of schema['x-kubernetes-list-map-keys'] ?? []) {
    const field = declaredField(items, key);
    if (!field) continue;
    const place = `${at}.items.properties[${key}]`;
    if (!required.has(key) && (field.default === undefined || field.default === null)) {
      const detail =
        'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property';
      errors.push(fieldError.required(`${place}.default`, detail));
    }
    if (field.nullable) {
      const detail = 'this property is in x-kubernetes-list-map-keys, so it cannot be nullable';
      errors.push(fieldError.forbidden(`${place}.nullable`, detail));
    }
  }
  return errors;
}
