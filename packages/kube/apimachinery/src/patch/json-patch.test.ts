import jsonpatch from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import { deepFreeze, jsonClone } from '../json.ts';
import { StatusError } from '../status.ts';
import { applyJsonPatch, escapePointerToken } from './index.ts';

const document = deepFreeze({
  a: { b: [1, 2, 3], 'x/y': 1, 'm~n': 2 },
  list: [{ n: 1 }, { n: 2 }],
  untouched: { q: 1 },
});

function failure(patch: unknown): StatusError {
  try {
    applyJsonPatch(document, patch);
  } catch (error) {
    if (error instanceof StatusError) return error;
    throw error;
  }
  throw new Error('the patch applied');
}

describe('applyJsonPatch', () => {
  it.each<[string, unknown, unknown]>([
    ['add a member', [{ op: 'add', path: '/c', value: null }], { ...document, c: null }],
    ['append', [{ op: 'add', path: '/a/b/-', value: 4 }], { ...document, a: { ...document.a, b: [1, 2, 3, 4] } }],
    ['insert', [{ op: 'add', path: '/a/b/1', value: 9 }], { ...document, a: { ...document.a, b: [1, 9, 2, 3] } }],
    ['remove from the end', [{ op: 'remove', path: '/a/b/-1' }], { ...document, a: { ...document.a, b: [1, 2] } }],
    [
      'escapes',
      [
        { op: 'replace', path: '/a/x~1y', value: 5 },
        { op: 'remove', path: '/a/m~0n' },
      ],
      { ...document, a: { b: [1, 2, 3], 'x/y': 5 } },
    ],
    ['move', [{ op: 'move', from: '/list/0', path: '/list/1' }], { ...document, list: [{ n: 2 }, { n: 1 }] }],
    ['test a missing member for null', [{ op: 'test', path: '/zz', value: null }], document],
    ['test', [{ op: 'test', path: '/list/1', value: { n: 2 } }], document],
  ])('When asked to %s, it should do it', (_, patch, expected) => {
    expect(applyJsonPatch(document, patch)).toEqual(expected);
  });

  it('When a value is copied and one of the two changed, it should leave the other', () => {
    const result = applyJsonPatch<object>(document, [
      { op: 'replace', path: '/list/0/n', value: 7 },
      { op: 'copy', from: '/list', path: '/copy' },
      { op: 'add', path: '/list/0/n', value: 8 },
    ]);
    expect(result).toMatchObject({ copy: [{ n: 7 }, { n: 2 }], list: [{ n: 8 }, { n: 2 }] });
  });

  it('When a part is not touched, it should be shared', () => {
    const result = applyJsonPatch(document, [{ op: 'add', path: '/list/0/n', value: 5 }]);
    expect(result.untouched).toBe(document.untouched);
    expect(result.list[1]).toBe(document.list[1]);
  });

  it.each<[string, unknown, number]>([
    ['an object', {}, 400],
    ['no operations but text', ['x'], 400],
    ['too many operations', Array.from({ length: 10_001 }, () => ({ op: 'test', path: '/zz' })), 413],
    ['an unknown operation', [{ op: 'frob', path: '/a' }], 422],
    ['no path', [{ op: 'remove' }], 422],
    ['no value', [{ op: 'add', path: '/x' }], 422],
    ['removal of nothing', [{ op: 'remove', path: '/zz' }], 422],
    ['replacement of nothing', [{ op: 'replace', path: '/zz', value: 1 }], 422],
    ['a path through nothing', [{ op: 'add', path: '/zz/y', value: 1 }], 422],
    ['an index too high', [{ op: 'add', path: '/a/b/4', value: 1 }], 422],
    ['an index that is none', [{ op: 'add', path: '/a/b/x', value: 1 }], 422],
    ['a failing test', [{ op: 'test', path: '/a/b/0', value: 2 }], 422],
    ['a move into itself', [{ op: 'move', from: '/a', path: '/a/b/0' }], 422],
    ['the prototype', [{ op: 'add', path: '/__proto__/polluted', value: 1 }], 422],
    ['a document that is no object', [{ op: 'replace', path: '', value: 1 }], 422],
  ])('When the patch has %s, it should be refused', (_, patch, code) => {
    expect(failure(patch).code).toBe(code);
  });

  it('When copies grow without bound, it should stop', () => {
    const grow = Array.from({ length: 30 }, () => ({ op: 'copy', from: '/a', path: '/a/c' }));
    const patch = [
      { op: 'add', path: '/a/c', value: 'x'.repeat(1024) },
      ...grow.map((step, i) => ({ ...step, path: `/a/c${i}` })),
    ];
    expect(failure(patch)).toMatchObject({
      code: 422,
      reason: 'Invalid',
      message: 'the server rejected our request due to an error in our request',
    });
  });

  it('When random patches are applied, it should agree with another implementation', () => {
    let seed = 7;
    const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    const randomValue = (depth: number): unknown => {
      const kind = depth === 0 ? random(3) : random(5);
      if (kind === 0) return random(5);
      if (kind === 1) return `s${random(3)}`;
      if (kind === 2) return random(2) === 0;
      if (kind === 3) return Array.from({ length: random(4) }, () => randomValue(depth - 1));
      return Object.fromEntries(Array.from({ length: random(4) }, (_, i) => [`k${i}/~`, randomValue(depth - 1)]));
    };
    for (let i = 0; i < 500; i++) {
      const from = { root: randomValue(4), keep: randomValue(2) };
      const to = { root: randomValue(4), keep: randomValue(2) };
      const patch = jsonpatch.compare(from, to);
      expect(applyJsonPatch(deepFreeze(jsonClone(from)), patch)).toEqual(to);
    }
  });

  it('When a token has special characters, it should escape them', () => {
    expect(escapePointerToken('a/b~c')).toBe('a~1b~0c');
  });
});
