import { describe, expect, it } from 'vitest';
import { semanticEqual } from './semantic-equality.ts';

describe('semanticEqual', () => {
  it.each<[unknown, unknown, boolean]>([
    [{ hostNetwork: false }, {}, true],
    [{ volumes: [] }, { volumes: null }, true],
    [{ metadata: { creationTimestamp: null } }, {}, true],
    [undefined, { a: { b: '' } }, true],
    [{ a: 1 }, { a: 2 }, false],
    [{ a: [1, 2] }, { a: [1] }, false],
    [{ a: [{}] }, {}, false],
    [{ a: 'x' }, {}, false],
    [{}, { a: { b: 1 } }, false],
    [{ a: [{ b: '' }] }, { a: [{}] }, true],
    ['x', undefined, false],
  ])('When %j meets %j, it should say %s', (a, b, equal) => {
    expect(semanticEqual(a, b)).toBe(equal);
    expect(semanticEqual(b, a)).toBe(equal);
  });
});
