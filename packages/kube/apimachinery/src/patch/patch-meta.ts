import type { Schema } from '../schema-types.ts';

/** What a strategic merge patch needs to know about one place in an object. */
export interface PatchMeta {
  readonly strategy: 'merge' | 'replace' | '';
  readonly mergeKey: string;
  /** The place inside an object, or undefined when the schema does not describe it. */
  member(name: string): PatchMeta | undefined;
  /** The place inside a list. */
  readonly items: PatchMeta | undefined;
}

const compiled = new WeakMap<Schema, PatchMeta>();

// References in the built-in schemas are wrapped as `allOf: [target]` when the property adds something of its own.
function describing<K extends 'properties' | 'additionalProperties' | 'items'>(
  schema: Schema,
  part: K,
): Schema[K] | undefined {
  if (schema[part] !== undefined) return schema[part];
  for (const inner of schema.allOf ?? []) {
    const found = describing(inner, part);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** Reads the patch extensions of a schema; shared by all who use the same schema object. */
export function patchMetaOf(schema: Schema): PatchMeta {
  const known = compiled.get(schema);
  if (known) return known;
  const strategies = (schema['x-kubernetes-patch-strategy'] ?? '').split(',');
  const properties = describing(schema, 'properties');
  const additional = describing(schema, 'additionalProperties');
  const items = describing(schema, 'items');
  const meta: PatchMeta = {
    strategy: strategies.includes('merge') ? 'merge' : strategies.includes('replace') ? 'replace' : '',
    mergeKey: schema['x-kubernetes-patch-merge-key'] ?? '',
    member(name) {
      const property = properties && Object.hasOwn(properties, name) ? properties[name] : undefined;
      const found = property ?? (typeof additional === 'object' ? additional : undefined);
      return found && patchMetaOf(found);
    },
    get items() {
      return items && patchMetaOf(items);
    },
  };
  compiled.set(schema, meta);
  return meta;
}
