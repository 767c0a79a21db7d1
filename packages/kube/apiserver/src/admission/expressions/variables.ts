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
  /** Bindings of one evaluation; its getters are made once for all of them. */
  readonly Values: new (
    base: Bindings,
    budget: CostBudget,
  ) => Bindings;
}

/**
 * A variable is declared twice: as the name `variables.x`, which may hold any value, null included, and as a field
 * of `variables`, for has() and for the message about a field that is not there.
 */
export function compileVariables(
  variables: readonly { readonly name: string; readonly expression: string }[] | undefined,
  shape: EnvironmentShape,
): CompiledVariables {
  const types = new Map<string, CelType>();
  const environment = (authorizer: boolean): Environment =>
    createEnvironment({
      homogeneousLiterals: shape.mixedLiterals !== true,
      variables: { ...declaredNames({ ...shape, authorizer }), ...dotted(types), variables: holder(types) },
    });
  const list: { name: string; compiled: Compiled }[] = [];
  for (const { name, expression } of variables ?? []) {
    const compiled = compileExpression(environment(shape.authorizer), expression, []);
    list.push({ name, compiled });
    types.set(name, compiled.program?.type ?? DYN);
  }
  const finished = new Map<boolean, Environment>();
  return {
    list,
    Values: valuesClass(Object.keys(declaredNames(shape)), list),
    environment(authorizer) {
      let known = finished.get(authorizer);
      if (!known) finished.set(authorizer, (known = environment(authorizer)));
      return known;
    },
  };
}

function dotted(types: ReadonlyMap<string, CelType>): Record<string, CelType> {
  return Object.fromEntries([...types].map(([name, type]) => [`variables.${name}`, type]));
}

function holder(types: ReadonlyMap<string, CelType>): CelType {
  const table = new Map([...types].map(([key, type]) => [key, { key, type }]));
  const fields: FieldTable = { get: (name) => table.get(name), names: () => table.keys() };
  return { kind: 'struct', name: 'kubernetes.variables', params: [], fields };
}

/** Bindings with the variables in them, each worked out when first asked for and paid from the budget. */
export function withVariables(base: Bindings, { list, Values }: CompiledVariables, budget: CostBudget): Bindings {
  return list.length === 0 ? base : new Values(base, budget);
}

type Outcome = { readonly value: unknown } | { readonly failure: EvalFailure };

/** What one evaluation knows of its variables so far. */
class Worksheet {
  private readonly list: CompiledVariables['list'];
  private readonly budget: CostBudget;
  private readonly outcomes: (Outcome | undefined)[] = [];

  constructor(list: CompiledVariables['list'], budget: CostBudget) {
    this.list = list;
    this.budget = budget;
  }

  read(index: number, bindings: Bindings): unknown {
    const { name, compiled } = this.list[index]!;
    const outcome = (this.outcomes[index] ??= evaluate(name, compiled, bindings, this.budget));
    if ('failure' in outcome) throw outcome.failure;
    return outcome.value;
  }
}

const baseOf = Symbol('base');
const worksheetOf = Symbol('worksheet');

interface Values {
  readonly [baseOf]: Bindings;
  readonly [worksheetOf]: Worksheet;
  readonly [name: string]: unknown;
}

/** Defining getters anew for every request would cost more than most expressions. */
function valuesClass(names: readonly string[], list: CompiledVariables['list']): CompiledVariables['Values'] {
  class BoundValues {
    readonly [baseOf]: Bindings;
    readonly [worksheetOf]: Worksheet;

    constructor(base: Bindings, budget: CostBudget) {
      this[baseOf] = base;
      this[worksheetOf] = new Worksheet(list, budget);
    }
  }
  const define = (target: object, name: string, get: (this: Values) => unknown): void => {
    Object.defineProperty(target, name, { get });
  };
  for (const name of names)
    define(BoundValues.prototype, name, function read() {
      return this[baseOf][name];
    });
  list.forEach(({ name }, index) =>
    define(BoundValues.prototype, `variables.${name}`, function read() {
      return this[worksheetOf].read(index, this);
    }),
  );
  define(BoundValues.prototype, 'variables', function whole() {
    const holder = Object.create(null) as object;
    list.forEach(({ name }, index) =>
      Object.defineProperty(holder, name, { get: () => this[worksheetOf].read(index, this) }),
    );
    return holder;
  });
  return BoundValues as unknown as CompiledVariables['Values'];
}

function evaluate(name: string, compiled: Compiled, bindings: Bindings, budget: CostBudget): Outcome {
  const quoted = JSON.stringify(name);
  if (compiled.program === undefined)
    return { failure: new EvalFailure(`composited variable ${quoted} fails to compile: ${compiled.error}`) };
  const result = compiled.program.evaluate(bindings);
  budget.spend(result.cost);
  return result.ok
    ? { value: result.value }
    : { failure: new EvalFailure(`composited variable ${quoted} fails to evaluate: ${result.error.message}`) };
}
