import { describe, expect, it } from 'vitest';
import type { FieldSet, FieldsV1 } from './index.ts';
import {
  decodeFieldsV1,
  encodeFieldsV1,
  fieldSetDifference,
  fieldSetIntersection,
  fieldSetLeaves,
  fieldSetRecursiveDifference,
  fieldSetsEqual,
  fieldSetUnion,
  showFieldPaths,
} from './index.ts';

const set = (encoded: FieldsV1): FieldSet => decodeFieldsV1(encoded);
const a = set({
  'f:x': { '.': {}, 'f:y': {}, 'f:z': {} },
  'f:l': { 'k:{"n":"1"}': { '.': {}, 'f:n': {} }, 'v:3': {} },
});
const b = set({ 'f:x': { 'f:y': {} }, 'f:l': { 'v:3': {}, 'i:0': {} } });

describe('field sets', () => {
  it.each([
    ['union', fieldSetUnion, ['.x', '.x.y', '.x.z', '.l[n="1"]', '.l[=3]', '.l[0]', '.l[n="1"].n']],
    ['intersection', fieldSetIntersection, ['.l[=3]', '.x.y']],
    ['difference', fieldSetDifference, ['.x', '.l[n="1"]', '.l[n="1"].n', '.x.z']],
  ])('When asked for the %s, it should hold the right paths', (_, operation, expected) => {
    expect(showFieldPaths(operation(a, b)).toSorted()).toEqual(expected.toSorted());
  });

  it('When a path is subtracted recursively, it should take what lies below along', () => {
    expect(showFieldPaths(fieldSetRecursiveDifference(a, set({ 'f:x': {} }))).join()).not.toContain('.x');
    expect(showFieldPaths(fieldSetDifference(a, set({ 'f:x': {} })))).toContain('.x.y');
  });

  it('When asked for the leaves, it should drop paths with paths below', () => {
    expect(showFieldPaths(fieldSetLeaves(a))).toEqual(['.l[=3]', '.l[n="1"].n', '.x.y', '.x.z']);
  });

  it('When encoded, it should be what was decoded, sorted', () => {
    const encoded = { 'f:b': {}, 'f:a': { 'v:"z"': {}, 'v:"<"': {}, 'k:{"b":1,"a":2}': {}, '.': {}, 'x:future': {} } };
    const again = encodeFieldsV1(decodeFieldsV1(encoded));
    expect(JSON.stringify(again)).toBe(
      '{"f:a":{".":{},"k:{\\"a\\":2,\\"b\\":1}":{},"v:\\"\\\\u003c\\"":{},"v:\\"z\\"":{}},"f:b":{}}',
    );
    expect(fieldSetsEqual(decodeFieldsV1(again), decodeFieldsV1(encoded))).toBe(true);
  });

  it('When equal sets are encoded, they should share one object', () => {
    const one = encodeFieldsV1(set({ 'f:shared': { 'f:q': {} } }));
    expect(encodeFieldsV1(set({ 'f:shared': { 'f:q': {} } }))).toBe(one);
  });

  it.each([[{ 'f:a': 1 }], [{ 'k:{': {} }], [{ a: {} }], [{ 'i:x': {} }]])(
    'When %j is decoded, it should fail',
    (encoded) => {
      expect(() => decodeFieldsV1(encoded)).toThrow();
    },
  );

  it('When random sets are combined, it should obey the laws of sets', () => {
    let seed = 11;
    const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    const randomSet = (depth: number): FieldsV1 =>
      Object.fromEntries(
        Array.from({ length: random(4) }, () => [
          ['f:a', 'f:b', 'k:{"n":1}', 'v:1', '.'][random(5)] ?? '.',
          depth === 0 ? {} : randomSet(depth - 1),
        ]),
      );
    for (let i = 0; i < 500; i++) {
      const [p, q] = [set(randomSet(3)), set(randomSet(3))];
      expect(fieldSetsEqual(fieldSetUnion(p, q), fieldSetUnion(q, p))).toBe(true);
      const rejoined = fieldSetUnion(fieldSetDifference(p, q), fieldSetIntersection(p, q));
      expect(showFieldPaths(rejoined)).toEqual(showFieldPaths(p));
      expect(showFieldPaths(fieldSetIntersection(fieldSetDifference(p, q), q))).toEqual([]);
    }
  });
});
