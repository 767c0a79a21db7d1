import type { GroupVersionKind } from '../object.ts';
import type { Schema } from '../schema-types.ts';
import { enumsJson } from './generated/enums.ts';
import { schemasJson } from './generated/schemas.ts';
import { linkSchemas } from './link.ts';

/** A schema as published: may hold `$ref`s such as `#/components/schemas/io.k8s.api.core.v1.PodSpec`. */
export interface SchemaDefinition extends Omit<Schema, 'properties' | 'items' | 'additionalProperties' | 'allOf'> {
  readonly $ref?: string;
  readonly properties?: { readonly [name: string]: SchemaDefinition };
  readonly items?: SchemaDefinition;
  readonly additionalProperties?: SchemaDefinition | boolean;
  readonly allOf?: readonly SchemaDefinition[];
}

export interface SchemaDefinitions {
  /** `group/version/Kind` to definition name. */
  readonly kinds: { readonly [gvk: string]: string };
  readonly schemas: { readonly [name: string]: SchemaDefinition };
}

let definitions: SchemaDefinitions | undefined;
let linked: ReadonlyMap<string, Schema> | undefined;
let enums: { readonly [name: string]: { readonly [field: string]: readonly string[] } } | undefined;

/** The published schemas of the built-in kinds by definition name, without prose. Shared: do not edit. */
export function builtinDefinitions(): SchemaDefinitions {
  definitions ??= JSON.parse(schemasJson) as SchemaDefinitions;
  return definitions;
}

/** The definition name of a built-in kind: `io.k8s.api.apps.v1.Deployment`. */
export function builtinDefinitionName(gvk: GroupVersionKind): string | undefined {
  const { kinds } = builtinDefinitions();
  const key = `${gvk.group}/${gvk.version}/${gvk.kind}`;
  return Object.hasOwn(kinds, key) ? kinds[key] : undefined;
}

/**
 * The schema of a built-in kind with every reference resolved. Frozen, cyclic where the type is, and the same
 * object for every caller. `default` in it is what OpenAPI publishes (Go zero values among it), which tells list
 * map keys apart but is not the API server's defaulting.
 */
export function builtinSchema(gvk: GroupVersionKind): Schema | undefined {
  const name = builtinDefinitionName(gvk);
  return name === undefined ? undefined : builtinSchemaByName(name);
}

/** The linked schema of any definition, such as `io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta`. */
export function builtinSchemaByName(name: string): Schema | undefined {
  linked ??= linkSchemas(builtinDefinitions().schemas);
  return linked.get(name);
}

/** The values that a definition's enumerated fields may take; published in documents, not checked by schema. */
export function builtinEnums(name: string): { readonly [field: string]: readonly string[] } | undefined {
  enums ??= JSON.parse(enumsJson) as NonNullable<typeof enums>;
  return Object.hasOwn(enums, name) ? enums[name] : undefined;
}
