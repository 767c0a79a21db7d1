import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { ReconcileContext } from './controller.ts';
import { TerminalError } from './retry.ts';
import type { Step, StepOutcomes, StepResult } from './step-reconciler.ts';
import { done, reconciler, waiting } from './step-reconciler.ts';

type Scope = { ran: string[] };

function step(name: string, kind: Step<Scope>['kind'], result: () => StepResult, blockedBy?: string[]): Step<Scope> {
  return {
    name,
    kind,
    ...(blockedBy ? { blockedBy } : {}),
    run: (scope) => {
      scope.ran.push(name);
      return result();
    },
  };
}

const fails = (error: Error) => () => {
  throw error;
};

async function run(...steps: Step<Scope>[]) {
  const context = { clock: new ManualClock(), signal: new AbortController().signal } as unknown as ReconcileContext;
  const scope: Scope = { ran: [] };
  let outcomes: StepOutcomes = new Map();
  const reconcile = reconciler<Scope>('test', {
    load: () => scope,
    steps,
    finish: (_scope, all) => {
      outcomes = all;
    },
  });
  const result = await reconcile({ name: 'x' }, context).catch((error: Error & { retry?: string }) => error);
  return { ran: scope.ran, outcomes: Object.fromEntries(outcomes), result };
}

describe('reconciler', () => {
  it('When a critical step fails, it should not run what comes after, but still finish', async () => {
    const broken = new Error('broken');
    const { ran, outcomes, result } = await run(
      step('a', 'critical', done),
      step('b', 'critical', fails(broken)),
      step('c', 'best-effort', done),
    );
    expect(ran).toEqual(['a', 'b']);
    expect(outcomes).toEqual({
      a: { state: 'done' },
      b: { state: 'failed', error: broken },
      c: { state: 'blocked', by: ['b'] },
    });
    expect(result).toBe(broken);
  });

  it('When a best-effort step fails, it should run the others except those that name it', async () => {
    const { ran, outcomes, result } = await run(
      step('a', 'best-effort', fails(new Error('broken'))),
      step('b', 'critical', done),
      step('c', 'best-effort', done, ['a', 'b']),
      step('d', 'best-effort', done, ['c']),
    );
    expect(ran).toEqual(['a', 'b']);
    expect(outcomes['c']).toEqual({ state: 'blocked', by: ['a'] });
    expect(outcomes['d']).toEqual({ state: 'blocked', by: ['c'] });
    expect(result).toMatchObject({ message: 'broken' });
  });

  it('When steps wait, it should come back at the earliest of their times without an error', async () => {
    const { ran, result } = await run(
      step('a', 'best-effort', () => done({ requeueAfterMs: 9000 })),
      step('b', 'critical', () => waiting('NotYet', 'the sky is dark', { requeueAfterMs: 3000 })),
      step('c', 'critical', done),
    );
    expect(ran).toEqual(['a', 'b']);
    expect(result).toEqual({ requeueAfterMs: 3000 });
  });

  it('When several steps fail, it should report all and retry if any of them is worth it', async () => {
    const terminal = await run(
      step('a', 'best-effort', fails(new TerminalError('x'))),
      step('b', 'best-effort', fails(new TerminalError('y'))),
    );
    expect(terminal.result).toMatchObject({ message: 'test: a: x; b: y', retry: 'after-user-change' });
    const mixed = await run(
      step('a', 'best-effort', fails(new TerminalError('x'))),
      step('b', 'best-effort', fails(new Error('y'))),
    );
    expect(mixed.result).toMatchObject({ retry: 'backoff' });
  });

  it('When steps are declared wrongly, it should say so at once', () => {
    const load = () => undefined;
    expect(() => reconciler('r', { load, steps: [step('a', 'critical', done), step('a', 'critical', done)] })).toThrow(
      'two steps are named "a"',
    );
    expect(() => reconciler('r', { load, steps: [step('a', 'critical', done, ['z'])] })).toThrow(
      '"z", which is not an earlier step',
    );
  });
});
