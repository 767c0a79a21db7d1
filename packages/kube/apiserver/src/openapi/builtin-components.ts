import { builtinDefinitions, builtinEnums, type SchemaDefinition } from '@hypershift-ts/kube-apimachinery';
import { descriptionsOf } from './descriptions.ts';

const refPrefix = '#/components/schemas/';

/** The definitions that the roots reach, themselves included, with descriptions and enumerated values, by name. */
export function componentsFor(roots: Iterable<string>): Record<string, SchemaDefinition> {
  const { schemas } = builtinDefinitions();
  const found = new Set<string>();
  const pending = [...roots];
  for (let name = pending.pop(); name !== undefined; name = pending.pop()) {
    const definition = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (found.has(name) || !definition) continue;
    found.add(name);
    collectRefs(definition, pending);
  }
  const components: Record<string, SchemaDefinition> = {};
  for (const name of [...found].sort()) components[name] = published(name, schemas[name] ?? {});
  return components;
}

function collectRefs(schema: SchemaDefinition, into: string[]): void {
  if (schema.$ref !== undefined) into.push(schema.$ref.slice(refPrefix.length));
  if (schema.properties) for (const property of Object.values(schema.properties)) collectRefs(property, into);
  if (schema.items) collectRefs(schema.items, into);
  if (typeof schema.additionalProperties === 'object') collectRefs(schema.additionalProperties, into);
  for (const part of schema.allOf ?? []) collectRefs(part, into);
}

const cache = new Map<string, SchemaDefinition>();

function published(name: string, definition: SchemaDefinition): SchemaDefinition {
  let result = cache.get(name);
  if (!result) cache.set(name, (result = annotate(name, definition)));
  return result;
}

function annotate(name: string, definition: SchemaDefinition): SchemaDefinition {
  const words = descriptionsOf(name);
  const enums = builtinEnums(name) ?? {};
  const common = definition['x-kubernetes-group-version-kind'] ? fieldsOfKinds : {};
  const properties: Record<string, SchemaDefinition> = {};
  for (const [field, property] of Object.entries(definition.properties ?? {})) {
    const described = withEnum(property, enums[field]);
    const description = words.fields[field] ?? common[field];
    properties[field] = description === undefined ? described : { ...asExtensible(described), description };
  }
  return {
    ...definition,
    ...(definition.properties ? { properties } : {}),
    ...(words.kind === undefined ? {} : { description: words.kind }),
  };
}

/** Fields that mean the same on every kind, unlike the `kind` of, say, an object reference. */
const fieldsOfKinds: { readonly [field: string]: string | undefined } = {
  apiVersion: 'Group and version of the schema this object follows.',
  kind: 'Name of the REST resource kind this object is.',
  metadata: 'Standard metadata of the object or list.',
};

/** The values belong to the field itself, or to the items of a list or map. */
function withEnum(property: SchemaDefinition, values: readonly string[] | undefined): SchemaDefinition {
  if (!values) return property;
  if (property.items) return { ...property, items: { ...property.items, enum: values } };
  if (typeof property.additionalProperties === 'object') {
    return { ...property, additionalProperties: { ...property.additionalProperties, enum: values } };
  }
  return { ...property, enum: values };
}

/** OpenAPI 3.0 ignores whatever stands beside a `$ref`, so the reference moves into allOf. */
function asExtensible(property: SchemaDefinition): SchemaDefinition {
  return property.$ref === undefined ? property : { allOf: [property] };
}
