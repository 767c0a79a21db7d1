/**
 * Types as the checker sees them. `schema` facts (sizes, list types) ride along on types derived from an OpenAPI
 * schema; they never take part in type equality.
 */
export type TypeKind =
  | 'bool'
  | 'int'
  | 'uint'
  | 'double'
  | 'string'
  | 'bytes'
  | 'null'
  | 'dyn'
  | 'error'
  | 'timestamp'
  | 'duration'
  | 'list'
  | 'map'
  | 'struct'
  | 'opaque'
  | 'type'
  | 'param';

export interface CelType {
  readonly kind: TypeKind;
  /** As printed in messages, e.g. `google.protobuf.Timestamp` or an object type's path. */
  readonly name: string;
  readonly params: readonly CelType[];
  /** A wrapper type: null may be assigned to it. */
  readonly nullable?: boolean;
  readonly schema?: SchemaFacts;
  /** Only on struct types: declared fields by their escaped name. */
  readonly fields?: FieldTable;
}

/** Resolves fields lazily because built-in schemas may be cyclic. */
export interface FieldTable {
  get(name: string): FieldDeclaration | undefined;
  names(): Iterable<string>;
}

export interface FieldDeclaration {
  /** The key in the JSON object; the name in expressions is its escaped form. */
  readonly key: string;
  readonly type: CelType;
}

/** What a schema says beyond the type. */
export interface SchemaFacts {
  /** Largest size: code points (times four), items or properties. Undefined when unbounded or meaningless. */
  readonly maxElements?: number;
  readonly listType?: 'set' | 'map';
  readonly listMapKeys?: readonly string[];
  /** Strings that carry a date (RFC 3339 full-date) rather than a date-time. */
  readonly dateOnly?: boolean;
}

function simple(kind: TypeKind, name: string): CelType {
  return { kind, name, params: [] };
}

export const BOOL = simple('bool', 'bool');
export const INT = simple('int', 'int');
export const UINT = simple('uint', 'uint');
export const DOUBLE = simple('double', 'double');
export const STRING = simple('string', 'string');
export const BYTES = simple('bytes', 'bytes');
export const NULL = simple('null', 'null_type');
export const DYN = simple('dyn', 'dyn');
export const ERROR = simple('error', '!error!');
export const TIMESTAMP = simple('timestamp', 'google.protobuf.Timestamp');
export const DURATION = simple('duration', 'google.protobuf.Duration');
export const TYPE: CelType = simple('type', 'type');

export function listType(element: CelType, schema?: SchemaFacts): CelType {
  return { kind: 'list', name: 'list', params: [element], ...(schema && { schema }) };
}

export function mapType(key: CelType, value: CelType, schema?: SchemaFacts): CelType {
  return { kind: 'map', name: 'map', params: [key, value], ...(schema && { schema }) };
}

export function typeType(of: CelType): CelType {
  return { kind: 'type', name: 'type', params: [of] };
}

export function paramType(name: string): CelType {
  return simple('param', name);
}

/** An object type whose fields are declared; anything else on it is a compile error. */
export function structType(name: string, fields: FieldTable, schema?: SchemaFacts): CelType {
  return { kind: 'struct', name, params: [], fields, ...(schema && { schema }) };
}

/** A library's own type. Kubernetes declares most as object types without fields, a few as opaque. */
export function opaqueType(name: string, ...params: CelType[]): CelType {
  return { kind: 'opaque', name, params };
}

export function namedStruct(name: string): CelType {
  return { kind: 'struct', name, params: [], fields: { get: () => undefined, names: () => [] } };
}

export function optionalType(of: CelType): CelType {
  return opaqueType('optional_type', of);
}

export function nullableType(of: CelType): CelType {
  return { ...of, nullable: true };
}

/** An object type from a plain record of field types, e.g. for the variables of an admission policy. */
export function objectType(name: string, fields: Readonly<Record<string, CelType>>): CelType {
  const table = new Map(Object.entries(fields).map(([key, type]) => [key, { key, type }]));
  return structType(name, { get: (field) => table.get(field), names: () => table.keys() });
}

export function isOptional(type: CelType): boolean {
  return type.kind === 'opaque' && type.name === 'optional_type';
}

/** Same type, ignoring schema facts. */
export function sameType(a: CelType, b: CelType): boolean {
  if (a === b) return true;
  if (a.kind !== b.kind || a.name !== b.name || a.params.length !== b.params.length) return false;
  if ((a.nullable ?? false) !== (b.nullable ?? false)) return false;
  return a.params.every((param, i) => sameType(param, b.params[i]!));
}

/** The spelling used in compile errors. */
export function formatType(type: CelType): string {
  switch (type.kind) {
    case 'duration':
      return 'duration';
    case 'timestamp':
      return 'timestamp';
    case 'null':
      return 'null';
    case 'error':
      return '!error!';
    default:
  }
  if (type.nullable && type.params.length === 0 && type.kind !== 'struct') return `wrapper(${type.name})`;
  if (type.params.length === 0) return type.name;
  return `${type.name}(${type.params.map(formatType).join(', ')})`;
}
