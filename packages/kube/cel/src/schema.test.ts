import type { Schema } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { CelCompileError, createEnvironment, escapeFieldName, typeFromSchema, unescapeFieldName } from './index.ts';
import { everyType, everyValue } from './testing/every-type.ts';

const type = typeFromSchema(everyType, { root: true })!;
const env = createEnvironment({ variables: { self: type, oldSelf: type } });

function evaluate(expression: string, self: unknown = everyValue): unknown {
  const result = env.compile(expression).evaluate({ self, oldSelf: self });
  return result.ok ? result.value : result.error.message;
}

describe('expressions over a schema', () => {
  it.each([
    ["self.o.x__dash__y == 7 && self.o.a__dot__b == 'dot' && self.o.c__slash__d == 'sl'", true],
    ["self.o.__underscores__x == 'u' && self.o.__namespace__ == 'ns'", true],
    ['self.set == self.set2', true],
    ["self.l == ['a', 'b', 'c']", false],
    ["self.set == ['y', 'x']", true],
    ["(self.set + ['y', 'z']).size()", 3],
    ['self.ml.exists(x, has(x.at) && x.at.getFullYear() == 2021)', true],
    ["self.when < timestamp('2022-01-01T00:00:00Z') && self.dur == duration('90m') && self.by == b'hello'", true],
    ['type(self.n) == double && self.n / 2.0 == 1.5', true],
    ['self.ln.map(x, x * 2.0) == [2.0, 5.0]', true],
    ["type(self.ios) == int && self.ios2.endsWith('%')", true],
    ['has(self.o.nul)', false],
    ["self.emb.metadata.name == 'p' && self.metadata.name == 'nm' && self.kind == 'K'", true],
    ['self.o.missing > 0', 'no such key: missing'],
    ['self.o.missing > 0 || true', true],
    ['self.pu == oldSelf.pu', true],
  ])('When evaluating %s, it should give %s', (expression, expected) => {
    expect(evaluate(expression)).toEqual(expected);
  });

  it.each([
    ['self.nope', "undefined field 'nope'"],
    ['self.emb.spec', "undefined field 'spec'"],
    ["self.i == 'a'", "found no matching overload for '_==_' applied to '(int, string)'"],
    ['self.metadata.labels', "undefined field 'labels'"],
  ])('When compiling %s, it should refuse with %s', (expression, message) => {
    expect(() => env.compile(expression)).toThrow(CelCompileError);
    expect(() => env.compile(expression)).toThrow(`: ${message}\n`);
  });

  it('When map lists differ only in order, they should be equal', () => {
    const items = everyType.properties!.ml!;
    const list = createEnvironment({ variables: { self: typeFromSchema(items)!, oldSelf: typeFromSchema(items)! } });
    const program = list.compile('self == oldSelf');
    const self = [{ k: '1', v: 'a' }, { k: '2' }];
    expect(program.evaluate({ self, oldSelf: self.toReversed() })).toMatchObject({ ok: true, value: true });
    expect(program.evaluate({ self, oldSelf: [{ k: '1', v: 'b' }, { k: '2' }] })).toMatchObject({ value: false });
  });

  it('When data does not fit the schema, it should fail instead of throwing', () => {
    for (const self of [null, 7, [], { s: 5, l: 'x', o: [], m: 3, when: 'never', obs: [null] }]) {
      for (const expression of [
        'self.s.size()',
        'self.l.all(x, x > "")',
        'self.o.a',
        'self.m.a',
        'self.when.getHours()',
        'self.obs[0].name',
      ]) {
        expect(typeof evaluate(expression, self)).toBe('string');
      }
    }
  });

  it('When the same schema object is asked for twice, it should give the same type', () => {
    expect(typeFromSchema(everyType, { root: true })).toBe(type);
    const cyclic: { type: 'object'; properties: Record<string, Schema> } = { type: 'object', properties: {} };
    cyclic.properties.next = cyclic;
    expect(() =>
      createEnvironment({ variables: { self: typeFromSchema(cyclic)! } }).compile('self.next.next == self'),
    ).not.toThrow();
  });

  it('When a key is named like something objects inherit, it should be looked up as data', () => {
    const schema: Schema = {
      type: 'object',
      properties: { constructor: { type: 'string' }, toString: { type: 'string' } },
    } as Schema;
    const program = createEnvironment({ variables: { self: typeFromSchema(schema)! } }).compile(
      'has(self.constructor) || has(self.toString)',
    );
    expect(program.evaluate({ self: {} })).toMatchObject({ ok: true, value: false });
  });
});

describe('field names', () => {
  it.each([
    ['namespace', '__namespace__'],
    ['x-prop', 'x__dash__prop'],
    ['redact__d', 'redact__underscores__d'],
    ['a.b/c', 'a__dot__b__slash__c'],
    ['plain', 'plain'],
  ])('When escaping %s, it should become %s and back', (key, name) => {
    expect(escapeFieldName(key)).toBe(name);
    expect(unescapeFieldName(name)).toBe(key);
  });

  it.each(['', '1a', 'a b', 'ü'])('When a key such as %j cannot be a name, it should have none', (key) => {
    expect(escapeFieldName(key)).toBeUndefined();
  });
});
