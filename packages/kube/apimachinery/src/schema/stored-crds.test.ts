import { describe, expect, it } from 'vitest';
import { readStoredCrds } from './stored-crds.ts';

const stored = {
  nodes: [
    { type: 'string' },
    { type: 'object', properties: { name: 0, alias: 0 } },
    { type: 'array', items: 1 },
    { type: 'object', additionalProperties: 0 },
    { type: 'object', properties: { list: 2, one: 1, free: 3 } },
  ],
  crds: [
    {
      metadata: { name: 'things.example.com' },
      spec: {
        group: 'example.com',
        scope: 'Namespaced',
        names: { plural: 'things', kind: 'Thing' },
        versions: [{ name: 'v1', served: true, storage: true, schema: 4 }],
      },
    },
  ],
};

describe('readStoredCrds', () => {
  it('When nodes are shared, it should put whole schemas back together and share the equal parts', () => {
    const [crd] = readStoredCrds(JSON.stringify(stored));
    const schema = crd!.spec.versions[0]!.schema.openAPIV3Schema;
    expect(schema).toEqual({
      type: 'object',
      properties: {
        list: {
          type: 'array',
          items: { type: 'object', properties: { name: { type: 'string' }, alias: { type: 'string' } } },
        },
        one: { type: 'object', properties: { name: { type: 'string' }, alias: { type: 'string' } } },
        free: { type: 'object', additionalProperties: { type: 'string' } },
      },
    });
    expect(schema.properties!['one']).toBe(schema.properties!['list']!.items);
  });
});
