import type { Schema } from '../schema-types.ts';

/** The schemas a value can step into from here: fields, map values and list items (not the logical junctors). */
function* childSchemas(schema: Schema): Generator<Schema> {
  if (schema.properties) yield* Object.values(schema.properties);
  if (typeof schema.additionalProperties === 'object') yield schema.additionalProperties;
  if (schema.items) yield schema.items;
}

/**
 * Makes a memoised test "does this schema, or one below it, satisfy the predicate?". Works on cyclic schemas: the whole
 * reachable graph is settled at once by walking backwards from the nodes that satisfy it.
 */
export function reachableTest(predicate: (schema: Schema) => boolean): (schema: Schema) => boolean {
  const settled = new WeakMap<Schema, boolean>();
  return (root) => {
    const known = settled.get(root);
    if (known !== undefined) return known;
    const parents = new Map<Schema, Schema[]>([[root, []]]);
    const found: Schema[] = [];
    for (const schema of parents.keys()) {
      // The map grows while it is walked, which is how the whole graph gets visited.
      if (settled.get(schema) ?? predicate(schema)) found.push(schema);
      if (settled.has(schema)) continue;
      for (const child of childSchemas(schema)) {
        const known = parents.get(child);
        if (known) known.push(schema);
        else parents.set(child, [schema]);
      }
    }
    for (const schema of parents.keys()) if (!settled.has(schema)) settled.set(schema, false);
    while (found.length > 0) {
      const schema = found.pop() as Schema;
      settled.set(schema, true);
      for (const parent of parents.get(schema) ?? []) if (settled.get(parent) === false) found.push(parent);
    }
    return settled.get(root) === true;
  };
}
