import {
  decodeJson,
  decodeYaml,
  errorMessage,
  isJsonObject,
  type JsonObject,
  type JsonValue,
  type Schema,
} from '@hypershift-ts/kube-apimachinery';

/** Thrown at start when the provider's OpenAPI document cannot be used. */
export class SchemaDocumentError extends Error {
  override readonly name = 'SchemaDocumentError';
}

/** Large enough for every provider; a document is read once, at start. */
const maxLength = 16 * 1024 * 1024;
const localRef = /^#\/components\/schemas\/([^/]+)$/;

/** An OpenAPI document: the text it came from and the schemas of its components. */
export interface SchemaDocument {
  readonly document: JsonObject;
  /** The component with its references resolved, or undefined. */
  schema(name: string): Schema | undefined;
}

/** Reads an OpenAPI 3 document in YAML or JSON. */
export function parseSchemaDocument(text: string, source: string): SchemaDocument {
  const document = decode(text, source);
  const version = document['openapi'];
  if (typeof version !== 'string' || !version.startsWith('3.'))
    throw new SchemaDocumentError(
      `${source} is not an OpenAPI 3 document: its "openapi" member is ${JSON.stringify(version)}`,
    );
  const components = memberObject(memberObject(document, 'components'), 'schemas');
  const resolved = new Map<string, Schema>();

  // A component is entered into the map before its members are resolved: references may go in circles.
  const component = (name: string): Schema => {
    const known = resolved.get(name);
    if (known) return known;
    const raw = Object.hasOwn(components, name) ? components[name] : undefined;
    if (!isJsonObject(raw)) throw new SchemaDocumentError(`${source}: there is no component schema "${name}"`);
    const target: Record<string, unknown> = {};
    resolved.set(name, target as Schema);
    Object.assign(target, schemaOf(raw, refer));
    return target as Schema;
  };

  const refer = (ref: string): Schema => {
    const [, name] = localRef.exec(ref) ?? [];
    if (name === undefined) throw new SchemaDocumentError(`${source}: the reference ${ref} leads out of the document`);
    return component(decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
  };

  return {
    document,
    schema: (name) => (Object.hasOwn(components, name) ? component(name) : undefined),
  };
}

function decode(text: string, source: string): JsonObject {
  try {
    const isJson = text.trimStart().startsWith('{');
    const { value } = (isJson ? decodeJson : decodeYaml)(text, { maxLength });
    if (isJsonObject(value)) return value;
  } catch (cause) {
    throw new SchemaDocumentError(`${source} cannot be read: ${errorMessage(cause)}`, { cause });
  }
  throw new SchemaDocumentError(`${source} is not an OpenAPI document: it holds no object`);
}

function memberObject(object: JsonObject, name: string): JsonObject {
  const value = object[name];
  return isJsonObject(value) ? value : {};
}

const single = new Set(['items', 'not', 'additionalProperties']);
const lists = new Set(['allOf', 'anyOf', 'oneOf']);

/** A schema with its references resolved, by `refer`, into shared objects. */
function schemaOf(raw: JsonValue | undefined, refer: (ref: string) => Schema): unknown {
  if (!isJsonObject(raw)) return raw;
  if (typeof raw['$ref'] === 'string') return refer(raw['$ref']);
  const schema: Record<string, unknown> = {};
  for (const [keyword, value] of Object.entries(raw)) {
    if (single.has(keyword)) schema[keyword] = schemaOf(value, refer);
    else if (lists.has(keyword) && Array.isArray(value)) schema[keyword] = value.map((one) => schemaOf(one, refer));
    else if (keyword === 'properties' && isJsonObject(value)) {
      schema[keyword] = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, schemaOf(one, refer)]));
    } else schema[keyword] = value;
  }
  return modernised(schema);
}

/** OpenAPI 3.1 writes some things differently from 3.0, which is what the validator reads. */
function modernised(schema: Record<string, unknown>): Record<string, unknown> {
  const { type } = schema;
  if (Array.isArray(type)) {
    if (type.includes('null')) schema['nullable'] = true;
    schema['type'] = type.find((one) => one !== 'null');
  }
  for (const [exclusive, inclusive] of [
    ['exclusiveMinimum', 'minimum'],
    ['exclusiveMaximum', 'maximum'],
  ] as const) {
    if (typeof schema[exclusive] !== 'number') continue;
    schema[inclusive] = schema[exclusive];
    schema[exclusive] = true;
  }
  if ('const' in schema) schema['enum'] = [schema['const']];
  return schema;
}
