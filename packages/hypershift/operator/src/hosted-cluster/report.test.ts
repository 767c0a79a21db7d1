import type { StepOutcome } from '@hypershift-ts/kube-controller';
import { describe, expect, it } from 'vitest';
import { failureOf } from './report.ts';

const failed = (message: string): StepOutcome => ({ state: 'failed', error: new Error(message) });
const critical = new Set(['A']);
const judged = (...outcomes: [string, StepOutcome][]) => failureOf(new Map(outcomes), critical)?.message;

describe('failureOf', () => {
  it('When a critical step failed, it should name it and what it holds up, and nothing else', () => {
    const blocked: StepOutcome = { state: 'blocked', by: ['A'] };
    expect(judged(['0', failed('side')], ['A', failed('boom')], ['B', blocked], ['C', blocked])).toBe(
      'critical error: A: boom; blocked operations: [ B, C ]',
    );
  });
  it('When others failed, it should list them all', () => {
    expect(judged(['A', { state: 'done' }], ['B', failed('x')], ['C', failed('y')])).toBe('B: x; C: y');
    expect(judged(['A', { state: 'done' }])).toBeUndefined();
  });
});
