import type { Mutable } from '../json.ts';
import type { Schema } from '../schema-types.ts';
import type { SchemaDefinition } from './schemas.ts';

const refPrefix = '#/components/schemas/';
const schemaProps = 'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSONSchemaProps';
const anything: Schema = { 'x-kubernetes-preserve-unknown-fields': true };

/**
 * Definitions whose published schema says less than the Go type does. Without these a walker would take the
 * content of, say, a ControllerRevision's data for unknown fields.
 */
const replacements: { readonly [name: string]: Schema } = {
  'io.k8s.apimachinery.pkg.util.intstr.IntOrString': { format: 'int-or-string', 'x-kubernetes-int-or-string': true },
  // Owned as a whole by server-side apply.
  'io.k8s.apimachinery.pkg.runtime.RawExtension': { type: 'object', ...anything, 'x-kubernetes-map-type': 'atomic' },
  'io.k8s.apimachinery.pkg.apis.meta.v1.FieldsV1': { type: 'object', ...anything },
  'io.k8s.apiextensions-apiserver.pkg.apis.apiextensions.v1.JSON': anything,
};

/** A JSONSchemaProps or something else: its fields count only when the value is an object. */
const maybeSchemaProps: ReadonlySet<string> = new Set([
  `${schemaProps}OrBool`,
  `${schemaProps}OrArray`,
  `${schemaProps}OrStringArray`,
]);

/** Resolves every `$ref` into a shared object reference; cycles stay cycles. The result is frozen. */
export function linkSchemas(definitions: { readonly [name: string]: SchemaDefinition }): ReadonlyMap<string, Schema> {
  const linked = new Map<string, Mutable<Schema>>();
  for (const name of Object.keys(definitions)) linked.set(name, {});
  // A reference with siblings (`allOf: [$ref], default: {}`) becomes a copy of its target, which is complete only
  // once every definition has been read.
  const copies: { into: Mutable<Schema>; target: Schema; siblings: Schema }[] = [];

  const targetOf = (ref: string): Mutable<Schema> => {
    const target = linked.get(ref.slice(refPrefix.length));
    if (target === undefined) throw new Error(`schema definition ${ref} does not exist`);
    return target;
  };

  const fill = (into: Mutable<Schema>, from: SchemaDefinition): Schema => {
    const { properties, items, additionalProperties, allOf, ...rest } = from;
    Object.assign(into, rest);
    if (properties) {
      const linkedProperties: Record<string, Schema> = {};
      for (const [key, property] of Object.entries(properties)) linkedProperties[key] = link(property);
      into.properties = linkedProperties;
    }
    if (items) into.items = link(items);
    if (additionalProperties !== undefined) {
      into.additionalProperties =
        typeof additionalProperties === 'object' ? link(additionalProperties) : additionalProperties;
    }
    if (allOf) into.allOf = allOf.map(link);
    return into;
  };

  const link = (from: SchemaDefinition): Schema => {
    if (from.$ref !== undefined) return targetOf(from.$ref);
    const ref = from.allOf?.length === 1 ? from.allOf[0]?.$ref : undefined;
    if (ref === undefined) return fill({}, from);
    if (Object.keys(from).length === 1) return targetOf(ref);
    const into: Mutable<Schema> = {};
    const { allOf: _, ...siblings } = from;
    copies.push({ into, target: targetOf(ref), siblings });
    return into;
  };

  for (const [name, definition] of Object.entries(definitions)) {
    const into = linked.get(name) ?? {};
    const replacement = Object.hasOwn(replacements, name) ? replacements[name] : undefined;
    if (replacement) Object.assign(into, replacement);
    else fill(into, definition);
  }
  const props = linked.get(schemaProps)?.properties;
  for (const name of maybeSchemaProps) {
    const either = linked.get(name);
    if (either && props) either.properties = props;
  }
  for (const { into, target, siblings } of copies) Object.assign(into, target, siblings);
  for (const schema of linked.values()) freezeGraph(schema);
  return linked;
}

/** Freezes before descending, unlike deepFreeze, because linked schemas are cyclic. */
function freezeGraph(value: unknown): void {
  if (typeof value !== 'object' || value === null || Object.isFrozen(value)) return;
  Object.freeze(value);
  for (const child of Object.values(value)) freezeGraph(child);
}
