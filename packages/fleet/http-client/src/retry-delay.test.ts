import { describe, expect, it } from 'vitest';
import { retryDelay } from './retry-delay.ts';

describe('retryDelay', () => {
  it.each([
    ['exponential', [1000, 2000, 4000, 5000]],
    ['linear', [1000, 2000, 3000, 4000]],
    ['constant', [1000, 1000, 1000, 1000]],
  ] as const)('When the back-off is %s, it should grow accordingly', (kind, expected) => {
    const rule = { kind, baseMs: 1000, maxMs: 5000 };
    expect([1, 2, 3, 4].map((attempt) => retryDelay(rule, attempt, () => 0.5))).toEqual(expected);
    expect(retryDelay(rule, 1, () => 0)).toBeCloseTo(900);
  });
});
