import type { Schema } from '@hypershift-ts/kube-apimachinery';
import { escapeFieldName } from './field-name.ts';
import type { CelType, FieldDeclaration, FieldTable } from './type.ts';
import { BOOL, BYTES, DOUBLE, DURATION, INT, listType, mapType, STRING, structType, TIMESTAMP } from './type.ts';

/** Largest request a server accepts; bounds every size a schema leaves open. */
const MAX_REQUEST_BYTES = 3 * 1024 * 1024;
const MAX_TIME_TEXT = 32;
const DATE_TEXT = 12;

interface Built {
  readonly type: CelType;
  /** Fewest bytes a value of this type takes as JSON; decides how many of them fit in a request. */
  readonly minBytes: number;
}

interface CacheEntry {
  plain?: Built | null;
  root?: Built | null;
}

/** Types are shared by everything that uses the same schema object. */
const cache = new WeakMap<Schema, CacheEntry>();
let typeCount = 0;

/**
 * The CEL type of values that fit a schema, or undefined when expressions cannot see them (no type given, or a list
 * without items). `root` marks the root of a resource, where apiVersion, kind, metadata.name and
 * metadata.generateName are always visible. Derived once per schema object.
 */
export function typeFromSchema(schema: Schema, options: { readonly root?: boolean } = {}): CelType | undefined {
  return built(schema, options.root ?? false, () => `selfType${++typeCount}`)?.type;
}

/** Fewest bytes a value of this schema takes as JSON; used to estimate how often a rule can run in one request. */
export function minSerializedSize(schema: Schema, options: { readonly root?: boolean } = {}): number {
  return built(schema, options.root ?? false, () => `selfType${++typeCount}`)?.minBytes ?? 0;
}

function built(schema: Schema, root: boolean, name: () => string): Built | undefined {
  let entry = cache.get(schema);
  if (!entry) cache.set(schema, (entry = {}));
  const slot = root ? 'root' : 'plain';
  if (entry[slot] === undefined) {
    // A required cycle can never be satisfied; treating it as absent only keeps this from recursing for ever.
    entry[slot] = null;
    entry[slot] = build(schema, root, name) ?? null;
  }
  return entry[slot] ?? undefined;
}

function build(schema: Schema, root: boolean, name: () => string): Built | undefined {
  if (schema['x-kubernetes-int-or-string']) {
    const maxElements = schema.maxLength === undefined ? MAX_REQUEST_BYTES - 2 : fromMaxLength(schema.maxLength);
    return { type: { kind: 'dyn', name: 'dyn', params: [], schema: { maxElements } }, minBytes: 1 };
  }
  const shown = root ? withObjectMeta(schema) : schema;
  switch (shown.type) {
    case 'array':
      return buildList(shown, name);
    case 'object':
      return typeof shown.additionalProperties === 'object'
        ? buildMap(shown, shown.additionalProperties, name)
        : buildObject(shown, name());
    case 'string':
      return buildString(shown);
    case 'boolean':
      return { type: BOOL, minBytes: 4 };
    case 'number':
      return { type: DOUBLE, minBytes: 1 };
    case 'integer':
      return { type: INT, minBytes: 1 };
    default:
      return undefined;
  }
}

function child(schema: Schema, name: () => string): Built | undefined {
  return built(schema, schema['x-kubernetes-embedded-resource'] ?? false, name);
}

function buildList(schema: Schema, name: () => string): Built | undefined {
  const items = schema.items && child(schema.items, () => `${name()}.@idx`);
  if (!items) return undefined;
  const maxElements =
    schema.maxItems === undefined
      ? Math.floor((MAX_REQUEST_BYTES - 2) / (items.minBytes + 1))
      : Math.max(0, schema.maxItems);
  const sort = schema['x-kubernetes-list-type'];
  const keys = schema['x-kubernetes-list-map-keys'] ?? [];
  const facts =
    sort === 'set'
      ? { maxElements, listType: sort }
      : sort === 'map'
        ? { maxElements, listType: sort, listMapKeys: keys }
        : { maxElements };
  return { type: listType(items.type, facts), minBytes: 2 };
}

function buildMap(schema: Schema, values: Schema, name: () => string): Built | undefined {
  const value = child(values, () => `${name()}.@elem`);
  if (!value) return undefined;
  const maxElements =
    schema.maxProperties === undefined
      ? Math.floor((MAX_REQUEST_BYTES - 2) / (value.minBytes + 6))
      : Math.max(0, schema.maxProperties);
  return { type: mapType(STRING, value.type, { maxElements }), minBytes: 2 };
}

function buildObject(schema: Schema, name: string): Built {
  const properties = schema.properties ?? {};
  let minBytes = 2;
  for (const key of schema.required ?? []) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (!property || property.default !== undefined) continue;
    const field = child(property, () => `${name}.${escapeFieldName(key) ?? key}`);
    if (field) minBytes += key.length + field.minBytes + 4;
  }
  return { type: structType(name, new SchemaFields(name, properties)), minBytes };
}

/** Field types are made when first asked for: most rules touch few of a large schema's fields. */
class SchemaFields implements FieldTable {
  private readonly typeName: string;
  private readonly properties: { readonly [name: string]: Schema };
  private keys: Map<string, string> | undefined;
  private readonly known = new Map<string, FieldDeclaration | undefined>();

  constructor(typeName: string, properties: { readonly [name: string]: Schema }) {
    this.typeName = typeName;
    this.properties = properties;
  }

  get(name: string): FieldDeclaration | undefined {
    if (this.known.has(name)) return this.known.get(name);
    const key = this.escaped().get(name);
    const type = key === undefined ? undefined : child(this.properties[key]!, () => `${this.typeName}.${name}`)?.type;
    const field = key === undefined || type === undefined ? undefined : { key, type };
    if (key !== undefined) this.known.set(name, field);
    return field;
  }

  names(): Iterable<string> {
    return this.escaped().keys();
  }

  private escaped(): Map<string, string> {
    if (!this.keys) {
      this.keys = new Map();
      for (const key of Object.keys(this.properties)) {
        const name = escapeFieldName(key);
        if (name !== undefined) this.keys.set(name, key);
      }
    }
    return this.keys;
  }
}

function buildString(schema: Schema): Built {
  const fromLength = schema.maxLength === undefined ? undefined : Math.max(0, schema.maxLength);
  switch (schema.format) {
    case 'byte':
      return { type: { ...BYTES, schema: { maxElements: fromLength ?? MAX_REQUEST_BYTES - 2 } }, minBytes: 2 };
    case 'duration':
      return { type: { ...DURATION, schema: { maxElements: MAX_TIME_TEXT } }, minBytes: 3 };
    case 'date':
      return { type: { ...TIMESTAMP, schema: { maxElements: DATE_TEXT, dateOnly: true } }, minBytes: 12 };
    case 'date-time':
      return { type: { ...TIMESTAMP, schema: { maxElements: MAX_TIME_TEXT } }, minBytes: 21 };
    default:
      return { type: { ...STRING, schema: { maxElements: stringSize(schema) } }, minBytes: 2 };
  }
}

function stringSize(schema: Schema): number {
  if (schema.maxLength !== undefined) return fromMaxLength(schema.maxLength);
  if (!schema.enum || schema.enum.length === 0) return MAX_REQUEST_BYTES - 2;
  const longest = schema.enum.map((value) => (typeof value === 'string' ? Buffer.byteLength(value) : 0));
  return Math.max(0, ...longest);
}

/** maxLength counts code points, sizes are thought of in bytes, and a code point takes up to four. */
function fromMaxLength(maxLength: number): number {
  return Math.max(0, maxLength) * 4;
}

const META_TEXT: Schema = { type: 'string' };
const META: Schema = { type: 'object', properties: { name: META_TEXT, generateName: META_TEXT } };
const metaSchemas = new WeakMap<Schema, Schema>();

function withObjectMeta(schema: Schema): Schema {
  let extended = metaSchemas.get(schema);
  if (!extended) {
    extended = {
      ...schema,
      properties: { ...schema.properties, kind: META_TEXT, apiVersion: META_TEXT, metadata: metaOf(schema) },
    };
    metaSchemas.set(schema, extended);
  }
  return extended;
}

/** A schema that spells out its metadata (built-in kinds do) keeps it; a CRD's bare `metadata: {type: object}` does not. */
function metaOf(schema: Schema): Schema {
  const metadata = schema.properties?.metadata;
  return metadata?.properties?.name?.type === 'string' && metadata.properties.generateName?.type === 'string'
    ? metadata
    : META;
}
