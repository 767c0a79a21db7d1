import { describe, expect, it } from 'vitest';
import { pauseOf } from './control-plane.ts';
import { aControlPlane } from './testing/inputs.ts';

const now = Date.UTC(2026, 0, 1);

describe('pauseOf', () => {
  it.each([
    [undefined, undefined],
    ['', undefined],
    ['false', undefined],
    ['soon', undefined],
    ['true', {}],
    ['2026-01-01T00:01:00Z', { leftMs: 60_000 }],
    ['2025-12-31T00:00:00Z', undefined],
  ])('When pausedUntil is %s, it should be %j', (pausedUntil, expected) => {
    expect(pauseOf(aControlPlane(pausedUntil === undefined ? {} : { pausedUntil }), now)).toEqual(expected);
  });
});
