/** CEL as adapter configurations write it: names and types are found out when an expression runs. */
import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Bindings, CelValue, Environment, Program } from '@hypershift-ts/kube-cel';
import { createEnvironment } from '@hypershift-ts/kube-cel';
import { adapterFunctions } from './functions.ts';

export { feedbackValue } from './functions.ts';
export { withDoubles } from './values.ts';

export type Evaluated =
  | { readonly ok: true; readonly value: CelValue }
  | { readonly ok: false; readonly message: string };

/** A compiled expression. The empty one is true. */
export class Expression {
  readonly source: string;
  private readonly program: Program | undefined;

  constructor(source: string, program: Program | undefined) {
    this.source = source;
    this.program = program;
  }

  evaluate(bindings: Bindings): Evaluated {
    if (!this.program) return { ok: true, value: true };
    const result = this.program.evaluate(bindings);
    return result.ok ? { ok: true, value: result.value } : { ok: false, message: result.error.message };
  }

  /** Evaluates a condition: anything but a bool is an error. */
  test(bindings: Bindings): boolean | { readonly message: string } {
    const result = this.evaluate(bindings);
    if (!result.ok) return result;
    if (typeof result.value === 'boolean') return result.value;
    return { message: `the expression ${JSON.stringify(this.source.trim())} gives no bool` };
  }
}

const environments = new WeakMap<Clock, Environment>();

/** Compiles an expression; throws `CelCompileError`. */
export function compileExpression(source: string, clock: Clock): Expression {
  if (source.trim() === '') return new Expression(source, undefined);
  let environment = environments.get(clock);
  if (!environment) {
    environment = createEnvironment({
      variables: {},
      dynamic: true,
      extensions: ['string-reverse'],
      functions: adapterFunctions(clock),
    });
    environments.set(clock, environment);
  }
  return new Expression(source, environment.compile(source));
}
