import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../json.ts';
import { deepFreeze } from '../json.ts';
import { applyMergePatch, createMergePatch } from './index.ts';

describe('applyMergePatch', () => {
  // The examples of RFC 7386 appendix A whose target and patch are objects.
  it.each<[JsonObject, JsonObject, JsonObject]>([
    [{ a: 'b' }, { a: 'c' }, { a: 'c' }],
    [{ a: 'b' }, { b: 'c' }, { a: 'b', b: 'c' }],
    [{ a: 'b' }, { a: null }, {}],
    [{ a: 'b', b: 'c' }, { a: null }, { b: 'c' }],
    [{ a: ['b'] }, { a: 'c' }, { a: 'c' }],
    [{ a: 'c' }, { a: ['b'] }, { a: ['b'] }],
    [{ a: { b: 'c' } }, { a: { b: 'd', c: null } }, { a: { b: 'd' } }],
    [{ a: [{ b: 'c' }] }, { a: [1] }, { a: [1] }],
    [{ e: null }, { a: 1 }, { e: null, a: 1 }],
    [{}, { a: { bb: { ccc: null } } }, { a: { bb: {} } }],
  ])('When %j is patched with %j, it should become %j', (target, patch, expected) => {
    expect(applyMergePatch(deepFreeze(target), deepFreeze(patch))).toEqual(expected);
  });

  it('When nothing changes, it should return the very same object', () => {
    const target = { spec: { a: [1, { b: 2 }] }, c: 'd' };
    expect(applyMergePatch(target, { spec: { a: [1, { b: 2 }], x: null }, c: 'd' })).toBe(target);
  });

  it('When one branch changes, it should share the others', () => {
    const target = { spec: { a: 1 }, status: { b: 1 } };
    const result = applyMergePatch(target, { spec: { a: 2 } });
    expect(result.status).toBe(target.status);
  });

  it.each([[[]], [null], ['x'], [1]])('When the patch is %j, it should be a bad request', (patch) => {
    expect(() => applyMergePatch({}, patch)).toThrow('Invalid JSON Patch');
  });

  it('When the patch names the prototype, it should be refused', () => {
    expect(() => applyMergePatch({ a: 1 }, JSON.parse('{"__proto__":{"polluted":true}}'))).toThrow('__proto__');
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
  });

  it('When a patch is made from two objects, it should lead from one to the other', () => {
    const from = { a: 1, b: { c: 1, d: [1] }, e: 'x' };
    const to = { a: 1, b: { d: [2], f: { g: 1 } }, h: true };
    const patch = createMergePatch(from, to);
    expect(patch).toEqual({ b: { c: null, d: [2], f: { g: 1 } }, e: null, h: true });
    expect(applyMergePatch<object>(from, patch)).toEqual(to);
  });
});
