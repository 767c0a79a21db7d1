import {
  applySchemaDefaults,
  type JsonValue,
  jsonClone,
  jsonEqual,
  pruneUnknownFields,
  type Schema,
} from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { type FeatureSet, gatesOf } from '../feature-gates.ts';
import { karpenterKinds, managementKinds } from '../kinds.ts';
import { type KindDefinition, render } from '../schema/index.ts';
import { ObjectGenerator } from '../testing/generated-object.ts';

const objectsPerKind = 25;

const schemaOf = (kind: KindDefinition, set: FeatureSet): Schema => render(kind.schema, gatesOf(set));

/** What is left when a server with this schema takes the object in and hands it out again, as text. */
function through(object: unknown, schema: Schema): unknown {
  const draft = JSON.parse(JSON.stringify(object)) as unknown;
  pruneUnknownFields(draft, schema, { resourceRoot: true, dropNulls: true });
  applySchemaDefaults(draft, schema);
  return draft;
}

function pruned(object: unknown, schema: Schema): unknown {
  const draft = jsonClone(object);
  pruneUnknownFields(draft, schema, { resourceRoot: true });
  return draft;
}

/** Paths of `small` that are missing or different in `large`. */
function lost(small: unknown, large: unknown, path = ''): string[] {
  if (typeof small !== 'object' || small === null) return jsonEqual(small, large) ? [] : [path];
  if (typeof large !== 'object' || large === null) return [path];
  return Object.entries(small).flatMap(([key, value]) =>
    lost(value, (large as { [key: string]: JsonValue })[key], `${path}/${key}`),
  );
}

const kinds = [...managementKinds, ...karpenterKinds].map((kind) => ({ kind, name: `${kind.kind}.${kind.group}` }));

describe.each(kinds)('serialization of $name', ({ kind, name }) => {
  const newest = schemaOf(kind, 'CustomNoUpgrade');
  const seed = Array.from(name).reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) >>> 0, 7);
  const generator = new ObjectGenerator(seed);
  const olders: readonly Schema[] = [
    ...(kind.gate ? [] : [schemaOf(kind, 'Default')]),
    schemaOf(kind, 'TechPreviewNoUpgrade'),
    generator.olderThan(newest),
    generator.olderThan(newest),
  ];

  it('When the older schema wrote it, it should come back from the newer one without loss', () => {
    for (const older of olders)
      for (let round = 0; round < objectsPerKind; round++) {
        const written = through(generator.value(older), older);
        const read = through(written, newest);
        expect(lost(written, read)).toEqual([]);
        expect(through(read, older)).toEqual(written);
      }
  });

  it('When the newer schema wrote it, the older one should keep all it knows and give it back', () => {
    for (const older of olders)
      for (let round = 0; round < objectsPerKind; round++) {
        const written = through(generator.value(newest), newest);
        const read = through(written, older);
        expect(lost(pruned(written, older), read)).toEqual([]);
        expect(lost(read, through(read, newest))).toEqual([]);
      }
  });
});
