import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { parseApiVersion } from '../object.ts';
import { builtinSchema } from '../builtin/index.ts';
import { emptySet, fieldSetOf, type FieldSet } from './field-set.ts';
import { encodeFieldsV1 } from './fields-v1.ts';
import { entriesOfNewObject, fieldsOfNewObject } from './new-object-fields.ts';
import { objectTypeOf } from './value-type.ts';
import { zeroObject } from './zero-object.ts';

const status = fieldSetOf([['status']]);

type Sample = JsonObject & { readonly apiVersion: string; readonly kind: string };

function entries(object: Sample, ignored: FieldSet = emptySet) {
  const { apiVersion, kind } = object;
  const schema = builtinSchema({ ...parseApiVersion(apiVersion), kind })!;
  const [type, zero] = [objectTypeOf(schema), zeroObject(schema)];
  const writer = { manager: 'm', operation: 'Update', apiVersion, subresource: '' } as const;
  return {
    found: entriesOfNewObject(object, type, zero, ignored, writer, Date.UTC(2026, 0, 1))?.[0]?.fieldsV1 ?? {},
    expected: encodeFieldsV1(fieldsOfNewObject(object, type, zero, ignored)),
  };
}

const pod = (spec: object) =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'a', labels: { x: 'y' } }, spec }) as unknown as Sample;
const deployment = (spec: object) =>
  ({ apiVersion: 'apps/v1', kind: 'Deployment', metadata: { name: 'a' }, spec }) as unknown as Sample;

const owned = (uids: readonly string[], spec: object) => {
  const ownerReferences = uids.map((uid) => ({ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: 'r', uid }));
  return { ...pod(spec), metadata: { name: 'a', ownerReferences } } as unknown as Sample;
};

// Neighbours differ in ways that are easily taken for the same shape.
const objects: readonly Sample[] = [
  pod({ containers: [{ name: 'a', image: 'i' }] }),
  pod({ containers: [{ name: 'b', image: 'i' }] }),
  pod({ containers: [{ name: 'a', image: 'i' }, { name: 'b' }] }),
  pod({ containers: [{ name: 'a' }, { name: 'a', image: 'twice' }] }),
  pod({ containers: [] }),
  pod({ containers: null as never }),
  pod({}),
  pod({ containers: [{ name: 'a', ports: [{ containerPort: 80 }] }] }),
  pod({ containers: [{ name: 'a', ports: [{ containerPort: 80, protocol: 'UDP' }] }] }),
  pod({ containers: [{ name: 'a', resources: {} }] }),
  pod({ containers: [{ name: 'a', resources: { limits: { cpu: '1' } } }] }),
  owned(['1'], { containers: [{ name: 'a', image: 'i' }] }),
  owned(['2'], { containers: [{ name: 'a', image: 'i' }] }),
  owned(['1', '2'], { containers: [{ name: 'a', image: 'i' }] }),
  owned([], { containers: [{ name: 'a', image: 'i' }] }),
  pod({ nodeSelector: {} }),
  pod({ nodeSelector: { a: 'b' } }),
  pod({ nodeSelector: { a: { b: 'c' } } as never }),
  deployment({ replicas: 1, selector: {}, template: {}, strategy: {} }),
  deployment({ replicas: 0, selector: { matchLabels: { a: 'b' } }, template: { metadata: {}, spec: {} } }),
  deployment({
    selector: null as never,
    template: { metadata: { creationTimestamp: null }, spec: { containers: null } },
  }),
  { ...deployment({ selector: {} }), status: { replicas: 1 } },
  { ...deployment({ selector: {} }), status: {} },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: { '}': 'x', '0': 'y' } },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a' }, data: {} },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: {}, data: undefined as never, immutable: false },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { finalizers: ['a', 'b'] } as never },
  { apiVersion: 'v1', kind: 'ConfigMap', metadata: { finalizers: ['a', 'c'] } as never },
  {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'a' },
    spec: { ports: [{ port: 80 }, { port: 80, protocol: 'UDP' }] },
    status: { loadBalancer: {} },
  },
];

describe('entriesOfNewObject', () => {
  it.each([
    ['nothing is ignored', emptySet],
    ['status is ignored', status],
  ])('When %s, it should find what comparing finds, however the objects before looked', (_text, ignored) => {
    for (const object of [...objects, ...objects.toReversed()]) {
      const { found, expected } = entries(object, ignored);
      expect({ object, fields: found }).toEqual({ object, fields: expected });
    }
  });

  it('When two objects look alike, they should share their entries', () => {
    const [a, b] = ['one', 'two'].map((image) => entries(pod({ containers: [{ name: 'a', image }] })).found);
    expect(a).toBe(b);
  });
});
