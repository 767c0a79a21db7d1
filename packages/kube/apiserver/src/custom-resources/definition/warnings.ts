import { isKnownFormat, type Schema } from '@hypershift-ts/kube-apimachinery';
import type { CustomResourceDefinition } from './types.ts';

/** Things a definition may say that have no effect; told in Warning headers, on updates only when they are new. */
export function definitionWarnings(definition: CustomResourceDefinition, old?: CustomResourceDefinition): string[] {
  const known = new Set(old ? warningsOf(old) : []);
  return [...warningsOf(definition)].filter((warning) => !known.has(warning));
}

function warningsOf(definition: CustomResourceDefinition): Set<string> {
  const formats = new Set<string>();
  const sets = new Set<string>();
  for (const version of definition.spec.versions) {
    for (const schema of everySchema(version.schema?.openAPIV3Schema)) {
      if (schema.format && !isKnownFormat(schema.type, schema.format)) {
        formats.add(`unrecognized format ${JSON.stringify(schema.format)}`);
      }
      const item = schema['x-kubernetes-list-type'] === 'set' ? schema.items?.type : undefined;
      if (item === 'object' || item === 'array') {
        sets.add(
          `x-kubernetes-list-type: set for items of type "${item}" is not supported by server-side apply or CEL validation rules`,
        );
      }
    }
  }
  return new Set([...formats, ...[...sets].sort()]);
}

function* everySchema(schema: Schema | undefined): Generator<Schema> {
  if (!schema) return;
  yield schema;
  yield* everySchema(schema.items);
  for (const word of ['allOf', 'anyOf', 'oneOf'] as const)
    for (const branch of schema[word] ?? []) yield* everySchema(branch);
  yield* everySchema(schema.not);
  for (const field of Object.values(schema.properties ?? {})) yield* everySchema(field);
  if (typeof schema.additionalProperties === 'object') yield* everySchema(schema.additionalProperties);
}
