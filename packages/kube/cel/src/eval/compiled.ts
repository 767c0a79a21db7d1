import type { ResolvedCall } from '../check/checker.ts';
import type { CelType } from '../check/type.ts';
import { EvalFailure } from '../errors.ts';
import type { CallNode, Node } from '../syntax/ast.ts';
import type { CelValue } from '../values/value.ts';
import type { Evaluate } from './frame.ts';

/**
 * How the cost model sees a compiled node: names and selections build attributes, whose root costs 1 unless it is
 * the branch of a conditional; constants are free.
 */
export interface Compiled {
  readonly run: Evaluate;
  readonly shape: 'constant' | 'attribute' | 'conditional' | 'other';
  /** Set when `shape` is `constant`. */
  readonly value?: CelValue;
}

/** What the parts of the compiler need of the whole. */
export interface CompilerContext {
  compile(node: Node): Compiled;
  typeOf(node: Node): CelType;
  callOf(node: CallNode): ResolvedCall;
  /** Makes a comprehension variable visible while `body` is compiled; the slot is where its value lives. */
  withLocal<T>(name: string, lazy: boolean, body: (slot: number) => T): T;
}

/** Marks a bound variable that has not been needed yet. */
export class Unevaluated {
  readonly run: Evaluate;
  constructor(run: Evaluate) {
    this.run = run;
  }
}

export function constant(value: CelValue): Compiled {
  return { run: () => value, shape: 'constant', value };
}

/** Only evaluation errors may be ignored; running out of budget may not. */
export function absorbable(error: unknown): EvalFailure {
  if (error instanceof EvalFailure) return error;
  throw error;
}
