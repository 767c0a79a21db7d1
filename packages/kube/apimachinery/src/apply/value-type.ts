import type { JsonValue } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import { objectMetaSchema } from './object-meta-schema.ts';

/** What server-side apply needs to know about a value: which shapes it may take and how each is owned. */
export interface ValueType {
  readonly scalar: ScalarType | undefined;
  readonly list: ListType | undefined;
  readonly map: MapType | undefined;
  readonly nullable: boolean;
  /** Never compared: metadata.managedFields, which is about the object rather than of it. */
  readonly ignored?: boolean;
}

type ScalarType = 'numeric' | 'string' | 'boolean' | 'untyped';

export interface ListType {
  /** Owned as a whole. */
  readonly atomic: boolean;
  /** The sorted key fields of a list of type `map`; undefined for a set. */
  readonly keys: readonly string[] | undefined;
  readonly keyDefaults: readonly (JsonValue | undefined)[];
  readonly element: ValueType;
}

export interface MapType {
  /** Owned as a whole. */
  readonly atomic: boolean;
  /** The type of a declared field. */
  field(name: string): ValueType | undefined;
  /** The type of all other fields; undefined when there may be none. */
  readonly element: ValueType | undefined;
}

const noField = (): undefined => undefined;

/** Anything, owned as a whole. */
export const untypedAtomic: ValueType = {
  scalar: 'untyped',
  list: { atomic: true, keys: undefined, keyDefaults: [], element: undefined as never },
  map: { atomic: true, field: noField, element: undefined },
  nullable: true,
};

/** Anything the schema is silent about: objects are owned field by field, lists as a whole. */
export const deduced: ValueType = {
  scalar: 'untyped',
  list: { atomic: true, keys: undefined, keyDefaults: [], element: untypedAtomic },
  map: {
    atomic: false,
    field: noField,
    get element() {
      return deduced;
    },
  },
  nullable: true,
};

// The built-in schemas wrap a reference as `allOf: [target]` when the property adds something of its own.
export function unwrapped(schema: Schema): Schema {
  const inner = schema.allOf?.length === 1 ? schema.allOf[0] : undefined;
  if (inner === undefined || schema.type !== undefined || schema.properties !== undefined) return schema;
  const { allOf: _, ...own } = schema;
  return { ...unwrapped(inner), ...own };
}

const embeddedFields: { readonly [name: string]: Schema } = {
  apiVersion: { type: 'string' },
  kind: { type: 'string' },
  metadata: objectMetaSchema,
};

function propertiesOf(schema: Schema): { readonly [name: string]: Schema } | undefined {
  return schema['x-kubernetes-embedded-resource'] ? { ...schema.properties, ...embeddedFields } : schema.properties;
}

function elementOf(schema: Schema, preserve: boolean): ValueType | undefined {
  const additional = schema.additionalProperties;
  if (typeof additional === 'object') return typeFor(additional, preserve);
  if (additional === true) return deduced;
  if (additional === false) return undefined;
  const described = schema.properties !== undefined && Object.keys(schema.properties).length > 0;
  return preserve || !described ? deduced : undefined;
}

function mapType(schema: Schema, preserve: boolean): MapType {
  const properties = propertiesOf(schema);
  const known = new Map<string, ValueType | undefined>();
  let element: ValueType | undefined | null = null;
  return {
    atomic: schema['x-kubernetes-map-type'] === 'atomic',
    field(name) {
      let type = known.get(name);
      if (type !== undefined || properties === undefined || !Object.hasOwn(properties, name)) return type;
      type = typeFor(properties[name] as Schema, preserve);
      known.set(name, type);
      return type;
    },
    get element() {
      if (element === null) element = elementOf(schema, preserve);
      return element;
    },
  };
}

function listKeys(schema: Schema): { atomic: boolean; keys: readonly string[] | undefined } {
  const atomic = { atomic: true, keys: undefined };
  switch (schema['x-kubernetes-list-type']) {
    case 'map':
      return { atomic: false, keys: (schema['x-kubernetes-list-map-keys'] ?? []).toSorted() };
    case 'set':
      return { atomic: false, keys: undefined };
    case 'atomic':
      return atomic;
    default: {
      // Older built-in kinds say it only by their patch strategy.
      if (!(schema['x-kubernetes-patch-strategy'] ?? '').split(',').includes('merge')) return atomic;
      const key = schema['x-kubernetes-patch-merge-key'];
      return { atomic: false, keys: key === undefined ? undefined : [key] };
    }
  }
}

function listType(schema: Schema, preserve: boolean): ListType {
  const { atomic, keys } = listKeys(schema);
  const item = schema.items === undefined ? undefined : unwrapped(schema.items);
  let element: ValueType | undefined;
  return {
    atomic,
    keys,
    keyDefaults: (keys ?? []).map((key) => {
      const field = item?.properties?.[key];
      return field === undefined ? undefined : unwrapped(field).default;
    }),
    get element() {
      element ??= schema.items === undefined ? untypedAtomic : typeFor(schema.items, preserve);
      return element;
    },
  };
}

function compile(wrapped: Schema, inherited: boolean): ValueType {
  const schema = unwrapped(wrapped);
  const preserve = inherited || schema['x-kubernetes-preserve-unknown-fields'] === true;
  const nullable = schema.nullable === true;
  const none = { scalar: undefined, list: undefined, map: undefined, nullable };
  switch (schema.type) {
    case 'object':
      return { ...none, map: mapType(schema, preserve) };
    case 'array':
      return { ...none, list: listType(schema, preserve) };
    case 'integer':
    case 'number':
      return { ...none, scalar: 'numeric' };
    case 'boolean':
      return { ...none, scalar: 'boolean' };
    case 'string':
      return { ...none, scalar: schema.format === undefined || schema.format === 'byte' ? 'string' : 'untyped' };
    default:
      return { scalar: 'untyped', list: listType(schema, preserve), map: mapType(schema, preserve), nullable };
  }
}

const strict = new WeakMap<Schema, ValueType>();
const preserving = new WeakMap<Schema, ValueType>();

function typeFor(schema: Schema, preserve: boolean): ValueType {
  const cache = preserve ? preserving : strict;
  let type = cache.get(schema);
  if (type === undefined) {
    type = compile(schema, preserve);
    cache.set(schema, type);
  }
  return type;
}

const roots = new WeakMap<Schema, ValueType>();
const ignoredType: ValueType = { ...untypedAtomic, ignored: true };

function metadataType(schema: Schema | undefined): ValueType {
  const described = schema === undefined ? undefined : unwrapped(schema).properties;
  const type = typeFor(described?.['name'] === undefined ? objectMetaSchema : (schema as Schema), false);
  const inner = type.map as MapType;
  const { atomic, element } = inner;
  const map: MapType = {
    atomic,
    element,
    field: (name) => (name === 'managedFields' ? ignoredType : inner.field(name)),
  };
  return { ...type, map };
}

/** The type of a whole object of the given schema; shared by all who use the same schema object. */
export function objectTypeOf(schema: Schema): ValueType {
  const known = roots.get(schema);
  if (known !== undefined) return known;
  const type = typeFor(schema, false);
  const inner = type.map ?? mapType({}, true);
  const metadata = metadataType(unwrapped(schema).properties?.['metadata']);
  const textType = typeFor({ type: 'string' }, false);
  const map: MapType = {
    atomic: false,
    element: inner.element,
    field(name) {
      if (name === 'metadata') return metadata;
      return name === 'apiVersion' || name === 'kind' ? textType : inner.field(name);
    },
  };
  const root: ValueType = { scalar: undefined, list: undefined, map, nullable: false };
  roots.set(schema, root);
  return root;
}
