import type { CheckedExpression } from './check/checker.ts';
import type { CelType } from './check/type.ts';
import { DYN } from './check/type.ts';
import type { CostBudget } from './cost/budget.ts';
import { CostLimit } from './cost/budget.ts';
import { CelRuntimeError, CostExceeded, EvalFailure } from './errors.ts';
import { materialize } from './eval/coerce.ts';
import type { Evaluate, Bindings } from './eval/frame.ts';
import { Frame } from './eval/frame.ts';
import type { CelValue } from './values/value.ts';

export type CelResult =
  | { readonly ok: true; readonly value: CelValue; readonly cost: number }
  | { readonly ok: false; readonly error: CelRuntimeError; readonly cost: number };

export interface EvaluateOptions {
  /** Charged with the cost of this evaluation; once exhausted, evaluations fail with a `cost` error. */
  readonly budget?: CostBudget;
  /** Most this one evaluation may cost. */
  readonly limit?: number;
}

/** A compiled expression. Immutable, so one program serves any number of callers. */
export class Program {
  readonly source: string;
  /** What it evaluates to. */
  readonly type: CelType;
  readonly checked: CheckedExpression;
  /** The variables it was compiled against. */
  readonly variables: ReadonlyMap<string, CelType>;
  private readonly run: Evaluate;
  private readonly mentioned: ReadonlySet<string>;

  constructor(checked: CheckedExpression, run: Evaluate, variables: ReadonlyMap<string, CelType>) {
    this.variables = variables;
    this.source = checked.source;
    this.checked = checked;
    this.run = run;
    this.type = checked.types.get(checked.root.id) ?? DYN;
    const names = new Set<string>();
    for (const { name, isType } of checked.idents.values()) if (!isType) names.add(name);
    this.mentioned = names;
  }

  /** Whether the expression mentions a declared variable. */
  references(variable: string): boolean {
    return this.mentioned.has(variable);
  }

  evaluate(bindings: Bindings, options: EvaluateOptions = {}): CelResult {
    const frame = new Frame(bindings, options.limit ?? CostLimit.perCall);
    const result = this.attempt(frame);
    options.budget?.spend(frame.cost);
    if (options.budget?.exhausted && (result.ok || result.error.kind !== 'cost')) {
      return failure(
        'validation failed due to running out of cost budget, no further validation rules will be run',
        'cost',
        frame,
      );
    }
    return result;
  }

  /** Evaluates a rule: true, false, or why it could not be told. */
  test(bindings: Bindings, options: EvaluateOptions = {}): boolean | CelRuntimeError {
    const result = this.evaluate(bindings, options);
    if (!result.ok) return result.error;
    return typeof result.value === 'boolean'
      ? result.value
      : new CelRuntimeError('expression did not evaluate to a bool');
  }

  private attempt(frame: Frame): CelResult {
    try {
      const value = materialize(this.run(frame), this.type);
      return frame.cost > frame.limit
        ? failure(new CostExceeded().message, 'cost', frame)
        : { ok: true, value, cost: frame.cost };
    } catch (error) {
      if (error instanceof EvalFailure) return failure(error.message, 'evaluation', frame);
      if (error instanceof CostExceeded) return failure(error.message, 'cost', frame);
      if (error instanceof CelRuntimeError) return { ok: false, error, cost: frame.cost };
      // Data that does not fit the declared types can make an operation throw; that is the data's fault.
      if (error instanceof TypeError || error instanceof RangeError || error instanceof SyntaxError) {
        return failure('no such overload', 'evaluation', frame);
      }
      throw error;
    }
  }
}

function failure(message: string, kind: 'evaluation' | 'cost', frame: Frame): CelResult {
  return { ok: false, error: new CelRuntimeError(message, kind), cost: frame.cost };
}
