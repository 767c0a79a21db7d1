import { CostExceeded } from '../errors.ts';
import type { CelValue } from '../values/value.ts';

/** Values of the declared variables; a getter is read only when the expression needs that variable. */
export type Bindings = { readonly [name: string]: CelValue };

/**
 * Loop iterations one evaluation may take, whatever they cost: a loop whose body is a constant is free in the
 * cost model, and must still end.
 */
const MAX_STEPS = 20_000_000;

/** State of one evaluation. */
export class Frame {
  readonly bindings: Bindings;
  readonly limit: number;
  /** Slots of comprehension variables, numbered when the expression was compiled. */
  readonly locals: CelValue[] = [];
  cost = 0;
  private steps = 0;

  constructor(bindings: Bindings, limit: number) {
    this.bindings = bindings;
    this.limit = limit;
  }

  /** Adds to the cost and stops the evaluation when the limit is passed. */
  spend(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit) throw new CostExceeded();
  }

  /** One loop iteration. */
  step(cost: number): void {
    this.cost += cost;
    if (this.cost > this.limit || ++this.steps > MAX_STEPS) throw new CostExceeded();
  }
}

/** A compiled expression node. */
export type Evaluate = (frame: Frame) => CelValue;
