import { describe, expect, it } from 'vitest';
import { formatFieldError } from '../field-error.ts';
import type { Schema } from '../schema-types.ts';
import { Correlated, validateValue, validateValueUpdate } from './index.ts';

const texts = (value: unknown, schema: Schema, at?: string) => validateValue(value, schema, at).map(formatFieldError);
const object = (properties: Record<string, Schema>, more: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});

describe('validateValue', () => {
  it.each<[string, unknown, Schema, string[]]>([
    ['a fitting value', { spec: { n: 3 } }, object({ spec: object({ n: { type: 'integer' } }) }), []],
    [
      'a wrong type',
      { spec: { n: 'x' } },
      object({ spec: object({ n: { type: 'integer' } }) }),
      ['spec.n: Invalid value: "string": spec.n in body must be of type integer: "string"'],
    ],
    [
      'a fraction for an integer',
      { n: 1.5 },
      object({ n: { type: 'integer' } }),
      [
        'n: Invalid value: "number": n in body must be of type integer: "number"',
        '<nil>: Invalid value: "": Checked value must be of type integer (default format) in n',
      ],
    ],
    [
      'null without nullable',
      { n: null },
      object({ n: { type: 'string' } }),
      ['n: Invalid value: "null": n in body must be of type string: "null"'],
    ],
    ['null with nullable', { n: null }, object({ n: { type: 'string', nullable: true } }), []],
    [
      'a number where a time belongs',
      { t: 5 },
      object({ t: { type: 'string', format: 'date-time' } }),
      ['t: Invalid value: "int64": t in body must be of type date-time: "int64"'],
    ],
    [
      'a list where a formatted string belongs',
      { t: [] },
      object({ t: { type: 'string', format: 'date-time' } }),
      ['t: Invalid value: "array": t in body must be of type string: "array"'],
    ],
    [
      'a text that is no time',
      { t: 'now' },
      object({ t: { type: 'string', format: 'date-time' } }),
      ['t: Invalid value: "now": t in body must be of type date-time: "now"'],
    ],
    ['an unknown format', { t: 'now' }, object({ t: { type: 'string', format: 'whatever' } }), []],
    [
      'a number beyond int32',
      { n: 2 ** 31 },
      object({ n: { type: 'integer', format: 'int32' } }),
      ['<nil>: Invalid value: "": Checked value must be of type integer with format int32 in n'],
    ],
    ['missing required fields', {}, object({}, { required: ['a'] }), ['a: Required value']],
    [
      'a nested missing required field',
      { spec: {} },
      object({ spec: object({}, { required: ['a'] }) }),
      ['spec.a: Required value'],
    ],
    [
      'a value outside the enum',
      { e: 'x' },
      object({ e: { type: 'string', enum: ['b', 'a'] } }),
      ['e: Unsupported value: "x": supported values: "b", "a"'],
    ],
    [
      'a number outside the enum',
      { e: 3 },
      object({ e: { type: 'integer', enum: [1, 2] } }),
      ['e: Unsupported value: 3: supported values: "1", "2"'],
    ],
    [
      'a text too long',
      { s: 'abc' },
      object({ s: { type: 'string', maxLength: 2 } }),
      ['s: Too long: may not be more than 2 bytes'],
    ],
    ['code points, not UTF-16 units', { s: '😀😀' }, object({ s: { type: 'string', maxLength: 2, minLength: 2 } }), []],
    [
      'a text too short',
      { s: '😀' },
      object({ s: { type: 'string', minLength: 2 } }),
      ['s: Invalid value: "😀": s in body should be at least 2 chars long'],
    ],
    [
      'a text that does not match',
      { s: 'A' },
      object({ s: { type: 'string', pattern: '^[a-z]([-a-z0-9]*[a-z0-9])?$' } }),
      ['s: Invalid value: "A": s in body should match \'^[a-z]([-a-z0-9]*[a-z0-9])?$\''],
    ],
    [
      'too many items',
      { l: [1, 2] },
      object({ l: { type: 'array', maxItems: 1, items: { type: 'integer' } } }),
      ['l: Too many: 2: must have at most 1 item'],
    ],
    [
      'too few items and a bad one',
      { l: ['x'] },
      object({ l: { type: 'array', minItems: 2, items: { type: 'integer' } } }),
      [
        'l[0]: Invalid value: "string": l[0] in body must be of type integer: "string"',
        'l: Invalid value: 1: l in body should have at least 2 items',
      ],
    ],
    [
      'repeated items',
      { l: [{ a: 1 }, { a: 1 }] },
      object({ l: { type: 'array', uniqueItems: true, items: { type: 'object' } } }),
      ['l: Invalid value: "": l in body shouldn\'t contain duplicates'],
    ],
    [
      'an empty object that needs a field',
      { o: {} },
      object({ o: { type: 'object', minProperties: 1 } }),
      ['o: Invalid value: 0: o in body should have at least 1 properties'],
    ],
    [
      'too many map entries',
      { o: { a: 'x', b: 'y' } },
      object({ o: { type: 'object', maxProperties: 1, additionalProperties: { type: 'string' } } }),
      ['o: Too many: 2: must have at most 1 item'],
    ],
    [
      'a bad map value',
      { o: { 'a/b': 1 } },
      object({ o: { type: 'object', additionalProperties: { type: 'string' } } }),
      ['o.a/b: Invalid value: "integer": o.a/b in body must be of type string: "integer"'],
    ],
    [
      'numbers out of bounds',
      { a: 0, b: 10, c: 7, d: 1 },
      object({
        a: { type: 'integer', minimum: 1 },
        b: { type: 'integer', maximum: 10, exclusiveMaximum: true },
        c: { type: 'integer', multipleOf: 2 },
        d: { type: 'number', minimum: 1, exclusiveMinimum: true },
      }),
      [
        'a: Invalid value: 0: a in body should be greater than or equal to 1',
        'b: Invalid value: 10: b in body should be less than 10',
        'c: Invalid value: 7: c in body should be a multiple of 2',
        'd: Invalid value: 1: d in body should be greater than 1',
      ],
    ],
    ['0.3 as a multiple of 0.1', { a: 0.3 }, object({ a: { type: 'number', multipleOf: 0.1 } }), []],
    [
      'int-or-string given a list',
      { v: [] },
      object({ v: { 'x-kubernetes-int-or-string': true } }),
      ['v: Invalid value: "array": v in body must be of type integer,string: "array"'],
    ],
    [
      'no anyOf branch',
      { v: true },
      object({ v: { 'x-kubernetes-preserve-unknown-fields': true, anyOf: [{ type: 'integer' }, { type: 'string' }] } }),
      [
        '<nil>: Invalid value: "": "v" must validate at least one schema (anyOf)',
        'v: Invalid value: "boolean": v in body must be of type integer: "boolean"',
      ],
    ],
    [
      'two oneOf branches',
      { v: { a: 1, b: 1 } },
      object({ v: { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] } }),
      ['<nil>: Invalid value: "": "v" must validate one and only one schema (oneOf). Found 2 valid alternatives'],
    ],
    [
      'no oneOf branch',
      { v: {} },
      object({ v: { type: 'object', oneOf: [{ required: ['a'] }, { required: ['b'] }] } }),
      [
        '<nil>: Invalid value: "": "v" must validate one and only one schema (oneOf). Found none valid',
        'v.a: Required value',
      ],
    ],
    [
      'a failing allOf and not',
      { v: 'ab' },
      object({ v: { type: 'string', allOf: [{ maxLength: 1 }, { minLength: 1 }], not: { enum: ['ab'] } } }),
      [
        'v: Too long: may not be more than 1 byte',
        '<nil>: Invalid value: "": "v" must validate all the schemas (allOf)',
        '<nil>: Invalid value: "": "v" must not validate the schema (not)',
      ],
    ],
  ])('When given %s, it should report what Kubernetes reports', (_, value, schema, expected) => {
    expect(texts(value, schema)).toEqual(expected);
  });

  it('When the value sits inside another one, it should name the field in full and the message below it', () => {
    const schema = object({ phase: { type: 'string', minLength: 1 } }, { required: ['ready'] });
    expect(texts({ phase: '' }, schema, 'status')).toEqual([
      'status.phase: Invalid value: "": phase in body should be at least 1 chars long',
      'status.ready: Required value',
    ]);
  });

  it('When the schema is cyclic, it should follow the value and end with it', () => {
    const node: { type: 'object'; properties: Record<string, Schema> } = { type: 'object', properties: {} };
    node.properties['next'] = node;
    node.properties['n'] = { type: 'integer' };
    expect(texts({ next: { next: { n: 'x' } } }, node)).toEqual([
      'next.next.n: Invalid value: "string": next.next.n in body must be of type integer: "string"',
    ]);
  });

  it('When a field is called like something every object has, it should still see it missing', () => {
    expect(texts({}, object({}, { required: ['constructor', '__proto__'] }))).toEqual([
      'constructor: Required value',
      '__proto__: Required value',
    ]);
  });
});

describe('validateValueUpdate', () => {
  const port: Schema = object({ name: { type: 'string' }, port: { type: 'integer', maximum: 10 } });
  const schema = object({
    kind: { type: 'string', maxLength: 1 },
    spec: object({
      a: { type: 'string', maxLength: 2 },
      b: { type: 'string' },
      byName: {
        type: 'array',
        items: port,
        'x-kubernetes-list-type': 'map',
        'x-kubernetes-list-map-keys': ['name'],
      },
      list: { type: 'array', items: port },
      choice: object({ x: { type: 'integer', maximum: 1 } }, { anyOf: [{ required: ['y'] }] }),
    }),
  });
  const update = (value: unknown, old: unknown) =>
    validateValueUpdate(value, new Correlated(value, old, schema), schema).map(formatFieldError);

  it('When an invalid value did not change, it should let it through even though its neighbour changed', () => {
    expect(update({ spec: { a: 'long', b: 'new' } }, { spec: { a: 'long', b: 'old' } })).toEqual([]);
  });
  it('When an invalid value changed to another invalid one, it should refuse it', () => {
    expect(update({ spec: { a: 'longer' } }, { spec: { a: 'long' } })).toEqual([
      'spec.a: Too long: may not be more than 2 bytes',
    ]);
  });
  it('When the invalid field is new, it should refuse it', () => {
    expect(update({ spec: { a: 'long' } }, { spec: {} })).toHaveLength(1);
  });
  it('When items of a list-type map moved, it should find each by its key', () => {
    const old = {
      spec: {
        byName: [
          { name: 'x', port: 99 },
          { name: 'y', port: 5 },
        ],
      },
    };
    expect(
      update(
        {
          spec: {
            byName: [
              { name: 'y', port: 6 },
              { name: 'x', port: 99 },
            ],
          },
        },
        old,
      ),
    ).toEqual([]);
    expect(
      update(
        {
          spec: {
            byName: [
              { name: 'y', port: 66 },
              { name: 'x', port: 99 },
            ],
          },
        },
        old,
      ),
    ).toEqual([
      'spec.byName[0].port: Invalid value: 66: spec.byName[0].port in body should be less than or equal to 10',
    ]);
  });
  it('When an atomic list changed anywhere, it should check all its items again', () => {
    const old = { spec: { list: [{ name: 'x', port: 99 }] } };
    expect(update({ spec: { list: [{ name: 'x', port: 99 }] } }, old)).toEqual([]);
    expect(update({ spec: { list: [{ name: 'x', port: 99 }, { name: 'y' }] } }, old)).toHaveLength(1);
  });
  it('When an unchanged object fails a junctor, it should let that through with its fields', () => {
    const old = { spec: { choice: { x: 9 }, b: 'old' } };
    expect(update({ spec: { choice: { x: 9 }, b: 'new' } }, old)).toEqual([]);
    expect(update({ spec: { choice: { x: 8 } } }, old)).toHaveLength(3);
  });
  it('When kind is invalid, it should refuse it although it did not change', () => {
    expect(update({ kind: 'Long', spec: { b: '1' } }, { kind: 'Long', spec: { b: '2' } })).toHaveLength(1);
  });
});
