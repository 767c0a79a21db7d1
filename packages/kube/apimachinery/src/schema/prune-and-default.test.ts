import { describe, expect, it } from 'vitest';
import type { Schema } from '../schema-types.ts';
import { applySchemaDefaults, normaliseEmbedded, pruneUnknownFields, validateEmbedded } from './index.ts';

const text: Schema = { type: 'string' };
const pruned = (value: unknown, schema: Schema, options = {}) => {
  const draft = structuredClone(value);
  return { unknown: pruneUnknownFields(draft, schema, options), draft };
};
const defaulted = (value: unknown, schema: Schema) => {
  const draft = structuredClone(value);
  applySchemaDefaults(draft, schema);
  return draft;
};

describe('pruneUnknownFields', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      spec: {
        type: 'object',
        properties: {
          known: text,
          list: { type: 'array', items: { type: 'object', properties: { a: text } } },
          map: { type: 'object', additionalProperties: { type: 'object', properties: { a: text } } },
          open: {
            type: 'object',
            'x-kubernetes-preserve-unknown-fields': true,
            properties: { closed: { type: 'object', properties: { a: text } } },
          },
          anything: { 'x-kubernetes-preserve-unknown-fields': true },
          loose: { type: 'object', additionalProperties: true },
        },
      },
    },
  };

  it('When fields are unknown, it should remove them and name their paths in order', () => {
    const value = {
      apiVersion: 'v1',
      metadata: { name: 'x' },
      extra: 1,
      spec: { zz: 1, known: 'x', list: [{ a: 'x', b: 1 }], map: { k: { a: 'x', b: 1 } } },
    };
    expect(pruned(value, schema, { resourceRoot: true })).toEqual({
      unknown: ['extra', 'spec.list[0].b', 'spec.map.k.b', 'spec.zz'],
      draft: {
        apiVersion: 'v1',
        metadata: { name: 'x' },
        spec: { known: 'x', list: [{ a: 'x' }], map: { k: { a: 'x' } } },
      },
    });
  });
  it('When unknown fields are preserved, it should still prune below the known ones', () => {
    const value = { spec: { open: { any: { b: 1 }, closed: { a: 'x', b: 1 } }, anything: [{ b: { c: 1 } }] } };
    expect(pruned(value, schema)).toEqual({
      unknown: ['spec.open.closed.b'],
      draft: { spec: { open: { any: { b: 1 }, closed: { a: 'x' } }, anything: [{ b: { c: 1 } }] } },
    });
  });
  it('When map values have no schema, it should keep scalars and empty the objects', () => {
    expect(pruned({ spec: { loose: { a: 1, b: { c: 1 } } } }, schema).draft).toEqual({
      spec: { loose: { a: 1, b: {} } },
    });
  });
  it('When built-in kinds leave an object undescribed, it should keep it whole', () => {
    const raw: Schema = { type: 'object', properties: { raw: { type: 'object' } } };
    expect(pruned({ raw: { a: 1 } }, raw, { keepUndescribed: true }).unknown).toEqual([]);
    expect(pruned({ raw: { a: 1 } }, raw).unknown).toEqual(['raw.a']);
  });
  it('When a null is neither nullable nor defaultable, it should drop it', () => {
    const nulls: Schema = {
      type: 'object',
      properties: { a: text, b: { ...text, nullable: true }, c: { ...text, default: 'x' } },
    };
    expect(pruned({ a: null, b: null, c: null }, nulls, { dropNulls: true })).toEqual({
      unknown: [],
      draft: { b: null, c: null },
    });
  });
  it('When a field is called __proto__, it should remove it like any other', () => {
    const draft = JSON.parse('{"spec":{"__proto__":{"x":1},"constructor":1}}');
    expect(pruneUnknownFields(draft, schema)).toEqual(['spec.__proto__', 'spec.constructor']);
    expect(Object.keys(draft.spec)).toEqual([]);
  });
});

describe('applySchemaDefaults', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      mode: { ...text, default: 'Auto' },
      group: {
        type: 'object',
        default: {},
        properties: {
          inner: { type: 'object', properties: { n: { type: 'integer', default: 3 } } },
          m: { ...text, default: 'x' },
        },
      },
      absent: { type: 'object', properties: { n: { type: 'integer', default: 3 } } },
      list: {
        type: 'array',
        items: { type: 'object', default: { from: 'null' }, properties: { n: { type: 'integer', default: 1 } } },
      },
      map: { type: 'object', additionalProperties: { ...text, default: 'd' } },
      maybe: { ...text, nullable: true, default: 'x' },
    },
  };

  it('When fields are missing, it should fill from the top down and enter what it filled', () => {
    expect(defaulted({}, schema)).toEqual({ mode: 'Auto', group: { m: 'x' }, maybe: 'x' });
    expect(defaulted({ group: { inner: {} } }, schema)).toMatchObject({ group: { inner: { n: 3 }, m: 'x' } });
  });
  it('When an optional object is missing, it should not invent it for the defaults inside', () => {
    expect(defaulted({}, schema)).not.toHaveProperty('absent');
    expect(defaulted({ absent: {} }, schema)).toHaveProperty('absent', { n: 3 });
  });
  it('When a value is null, it should default it unless it may be null', () => {
    expect(defaulted({ mode: null, maybe: null, list: [null, {}], map: { k: null } }, schema)).toMatchObject({
      mode: 'Auto',
      maybe: null,
      list: [{ from: 'null', n: 1 }, { n: 1 }],
      map: { k: 'd' },
    });
  });
  it('When two drafts get the same default, it should not share it between them', () => {
    const [one, two] = [defaulted({}, schema), defaulted({}, schema)] as { group: object }[];
    expect(one?.group).not.toBe(two?.group);
  });
  it('When the schema is cyclic, it should end with the value', () => {
    const node: { type: 'object'; properties: Record<string, Schema> } = { type: 'object', properties: {} };
    node.properties['next'] = node;
    node.properties['n'] = { type: 'integer', default: 1 };
    expect(defaulted({ next: {} }, node)).toEqual({ n: 1, next: { n: 1 } });
  });
});

describe('embedded resources', () => {
  const schema: Schema = {
    type: 'object',
    properties: {
      template: {
        type: 'object',
        'x-kubernetes-embedded-resource': true,
        'x-kubernetes-preserve-unknown-fields': true,
      },
    },
  };
  it('When embedded metadata has unknown fields and nulls, it should remove them', () => {
    const draft = {
      template: { apiVersion: 'v1', kind: 'Pod', metadata: { foo: 1, creationTimestamp: null, labels: { a: 'b' } } },
    };
    expect(normaliseEmbedded(draft, schema)).toEqual({ unknown: ['template.metadata.foo'], errors: [] });
    expect(draft.template.metadata).toEqual({ labels: { a: 'b' } });
  });
  it('When embedded metadata has a wrong type, it should say so as Go does', () => {
    const { errors } = normaliseEmbedded({ template: { metadata: { labels: { a: 1 } } } }, schema);
    expect(errors.map((error) => `${error.field}: ${error.message}`)).toEqual([
      'template.metadata: Invalid value: {"labels":{"a":1}}: json: cannot unmarshal number into Go struct field ObjectMeta.labels of type string',
    ]);
  });
  it('When an embedded object is not whole, it should ask for what is missing', () => {
    const errors = validateEmbedded({ template: { kind: 'Not a kind', metadata: { name: 'a/b' } } }, schema);
    expect(errors.map((error) => error.field)).toEqual([
      'template.apiVersion',
      'template.kind',
      'template.metadata.name',
    ]);
  });
});
