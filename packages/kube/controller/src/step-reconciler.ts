import type { ObjectKey } from '@hypershift-ts/kube-apimachinery';
import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { Reconcile, ReconcileContext, ReconcileResult } from './controller.ts';
import { retryOf } from './retry.ts';

/** How one step went. */
export type StepOutcome =
  | { readonly state: 'done'; readonly requeueAfterMs?: number }
  /** Not an error: something has to happen first. A watch or `requeueAfterMs` brings the reconcile back. */
  | { readonly state: 'waiting'; readonly reason: string; readonly message: string; readonly requeueAfterMs?: number }
  | { readonly state: 'failed'; readonly error: unknown }
  /** Did not run because of these steps. */
  | { readonly state: 'blocked'; readonly by: readonly string[] };

/** What a step itself may answer; failing is done by throwing. */
export type StepResult = Extract<StepOutcome, { state: 'done' | 'waiting' }>;

export interface Step<S> {
  readonly name: string;
  /**
   * `critical`: when it fails or waits, the steps after it do not run. `best-effort`: its failure is reported and
   * retried, but holds up only those that name it in `blockedBy`.
   */
  readonly kind: 'critical' | 'best-effort';
  /** Steps that must be done before this one may run. */
  readonly blockedBy?: readonly string[];
  run(scope: S, context: ReconcileContext): Promise<StepResult> | StepResult;
}

/** Step name to outcome, in the order of the steps. */
export type StepOutcomes = ReadonlyMap<string, StepOutcome>;

export interface StepReconcilerSpec<S> {
  /** The only reads; undefined when there is nothing to do (the object is gone). */
  load(key: ObjectKey, context: ReconcileContext): Promise<S | undefined> | S | undefined;
  readonly steps: readonly Step<S>[];
  /** Runs whatever the steps did; the place to write status once. */
  finish?(scope: S, outcomes: StepOutcomes, context: ReconcileContext): Promise<void> | void;
}

/** The step did what it had to; `requeueAfterMs` when time alone will give it more to do. */
export function done(options: { readonly requeueAfterMs?: number } = {}): StepResult {
  return { state: 'done', ...options };
}

/** The step cannot go on yet, and this is why. */
export function waiting(
  reason: string,
  message: string,
  options: { readonly requeueAfterMs?: number } = {},
): StepResult {
  return { state: 'waiting', reason, message, ...options };
}

/** Several steps failed at once. Retried as the most patient of them allows. */
export class StepsFailed extends AggregateError {
  override readonly name = 'StepsFailed';
  readonly retry: string;

  constructor(reconciler: string, failures: readonly (readonly [step: string, error: unknown])[]) {
    const texts = failures.map(([step, error]) => `${step}: ${errorMessage(error)}`);
    super(
      failures.map(([, error]) => error),
      `${reconciler}: ${texts.join('; ')}`,
    );
    const retries = failures.map(([, error]) => retryOf(error));
    const ranking = ['backoff', 'now', 'after-user-change', 'never'] as const;
    this.retry = ranking.find((retry) => retries.includes(retry)) ?? 'backoff';
  }
}

/** Runs the steps over one scope, in order, and answers how each went. */
export async function runSteps<S>(
  steps: readonly Step<S>[],
  scope: S,
  context: ReconcileContext,
): Promise<Map<string, StepOutcome>> {
  const outcomes = new Map<string, StepOutcome>();
  let barrier: string | undefined;
  for (const step of steps) {
    const obstacles = (step.blockedBy ?? []).filter((name) => outcomes.get(name)?.state !== 'done');
    if (barrier !== undefined && !obstacles.includes(barrier)) obstacles.unshift(barrier);
    const outcome = obstacles.length > 0 ? { state: 'blocked' as const, by: obstacles } : await attempt(step);
    outcomes.set(step.name, outcome);
    if (step.kind === 'critical' && outcome.state !== 'done') barrier ??= step.name;
  }
  return outcomes;

  async function attempt(step: Step<S>): Promise<StepOutcome> {
    try {
      context.signal.throwIfAborted();
      return await step.run(scope, context);
    } catch (error) {
      return { state: 'failed', error };
    }
  }
}

/** A reconcile function made of small named steps. */
export function reconciler<S>(name: string, spec: StepReconcilerSpec<S>): Reconcile {
  checkSteps(name, spec.steps);
  return async (key, context) => {
    const scope = await spec.load(key, context);
    if (scope === undefined) return undefined;
    const outcomes = await runSteps(spec.steps, scope, context);
    const failures: [string, unknown][] = [];
    for (const [step, outcome] of outcomes) if (outcome.state === 'failed') failures.push([step, outcome.error]);
    try {
      await spec.finish?.(scope, outcomes, context);
    } catch (error) {
      failures.push(['finish', error]);
    }
    if (failures.length === 1 && failures[0]) throw failures[0][1];
    if (failures.length > 1) throw new StepsFailed(name, failures);
    return earliestRequeue(outcomes.values());
  };
}

function earliestRequeue(outcomes: Iterable<StepOutcome>): ReconcileResult {
  let requeueAfterMs: number | undefined;
  for (const outcome of outcomes) {
    if (!('requeueAfterMs' in outcome) || outcome.requeueAfterMs === undefined) continue;
    requeueAfterMs = Math.min(requeueAfterMs ?? Number.POSITIVE_INFINITY, outcome.requeueAfterMs);
  }
  return requeueAfterMs === undefined ? undefined : { requeueAfterMs };
}

function checkSteps<S>(name: string, steps: readonly Step<S>[]): void {
  const seen = new Set<string>();
  for (const step of steps) {
    if (seen.has(step.name)) throw new Error(`${name}: two steps are named "${step.name}"`);
    const missing = step.blockedBy?.find((other) => !seen.has(other));
    if (missing !== undefined)
      throw new Error(`${name}: step "${step.name}" is blocked by "${missing}", which is not an earlier step`);
    seen.add(step.name);
  }
}
