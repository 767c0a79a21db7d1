import type { AnyNode, KindDefinition } from '../schema/index.ts';

/** A field of a kind, by its path: `spec.services[].service`. */
export interface FieldAt {
  readonly path: string;
  readonly node: AnyNode;
}

function* below(node: AnyNode, path: string): Generator<FieldAt> {
  const { properties, items, values } = node.definition;
  for (const [name, field] of Object.entries(properties ?? {})) {
    const at = path === '' ? name : `${path}.${name}`;
    yield { path: at, node: field };
    yield* below(field, at);
  }
  if (items) yield* below(items, `${path}[]`);
  if (values) yield* below(values, `${path}{}`);
}

/** Every field of a kind, parents before children. */
export function fieldsOf(kind: KindDefinition): Generator<FieldAt> {
  return below(kind.schema, '');
}

/** The fields nobody has described, except those every Kubernetes object has. */
export function undescribedFields(kind: KindDefinition): readonly string[] {
  return [...fieldsOf(kind)]
    .filter(({ path, node }) => !node.definition.description && path !== 'metadata')
    .map(({ path }) => path);
}
