import {
  type Bindings,
  type CelType,
  type CostBudget,
  createEnvironment,
  DYN,
  type Environment,
  EvalFailure,
  type FieldTable,
} from '@hypershift-ts/kube-cel';
import { type Compiled, compileExpression, declaredNames, type EnvironmentShape } from './environment.ts';

/** The variables of one policy, compiled in order: each sees those before it. */
export interface CompiledVariables {
  readonly list: readonly { readonly name: string; readonly compiled: Compiled }[];
  /** For expressions that may use the variables. */
  environment(authorizer: boolean): Environment;
}

/**
 * A variable is declared twice: as the name `variables.x`, which may hold any value, null included, and as a field
 * of `variables`, for has() and for the message about a field that is not there.
 */
export function compileVariables(
  variables: readonly { readonly name: string; readonly expression: string }[] | undefined,
  shape: EnvironmentShape,
): CompiledVariables {
  const types: Record<string, CelType> = {};
  const environment = (authorizer: boolean): Environment =>
    createEnvironment({
      homogeneousLiterals: shape.mixedLiterals !== true,
      variables: { ...declaredNames({ ...shape, authorizer }), ...dotted(types), variables: holder(types) },
    });
  const list: { name: string; compiled: Compiled }[] = [];
  for (const { name, expression } of variables ?? []) {
    const compiled = compileExpression(environment(shape.authorizer), expression, []);
    list.push({ name, compiled });
    types[name] = compiled.program?.type ?? DYN;
  }
  const finished = new Map<boolean, Environment>();
  return {
    list,
    environment(authorizer) {
      let known = finished.get(authorizer);
      if (!known) finished.set(authorizer, (known = environment(authorizer)));
      return known;
    },
  };
}

function dotted(types: Readonly<Record<string, CelType>>): Record<string, CelType> {
  return Object.fromEntries(Object.entries(types).map(([name, type]) => [`variables.${name}`, type]));
}

function holder(types: Readonly<Record<string, CelType>>): CelType {
  const table = new Map(Object.entries(types).map(([key, type]) => [key, { key, type }]));
  const fields: FieldTable = { get: (name) => table.get(name), names: () => table.keys() };
  return { kind: 'struct', name: 'kubernetes.variables', params: [], fields };
}

/** Bindings with the variables in them, each worked out when first asked for and paid from the budget. */
export function withVariables(base: Bindings, { list }: CompiledVariables, budget: CostBudget): Bindings {
  if (list.length === 0) return base;
  const bindings = Object.create(null, Object.getOwnPropertyDescriptors(base)) as Record<string, unknown>;
  const holder = Object.create(null) as Record<string, unknown>;
  for (const { name, compiled } of list) {
    let outcome: { readonly value: unknown } | { readonly failure: EvalFailure } | undefined;
    const get = (): unknown => {
      outcome ??= evaluate(name, compiled, bindings, budget);
      if ('failure' in outcome) throw outcome.failure;
      return outcome.value;
    };
    Object.defineProperty(bindings, `variables.${name}`, { get, enumerable: true });
    Object.defineProperty(holder, name, { get, enumerable: true });
  }
  bindings['variables'] = holder;
  return bindings;
}

function evaluate(
  name: string,
  compiled: Compiled,
  bindings: Bindings,
  budget: CostBudget,
): { readonly value: unknown } | { readonly failure: EvalFailure } {
  const quoted = JSON.stringify(name);
  if (compiled.program === undefined)
    return { failure: new EvalFailure(`composited variable ${quoted} fails to compile: ${compiled.error}`) };
  const result = compiled.program.evaluate(bindings);
  budget.spend(result.cost);
  return result.ok
    ? { value: result.value }
    : { failure: new EvalFailure(`composited variable ${quoted} fails to evaluate: ${result.error.message}`) };
}
