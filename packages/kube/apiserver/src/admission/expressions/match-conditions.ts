import { type Bindings, CostBudget, CostLimit, createEnvironment } from '@hypershift-ts/kube-cel';
import {
  type Compiled,
  compileExpression,
  declaredNames,
  type EnvironmentShape,
  plainEnvironment,
} from './environment.ts';

export interface MatchCondition {
  readonly name: string;
  readonly expression: string;
}

export interface CompiledCondition extends MatchCondition {
  readonly compiled: Compiled;
}

export function compileConditions(
  conditions: readonly MatchCondition[] | undefined,
  shape: EnvironmentShape,
): readonly CompiledCondition[] {
  const environment = shape.objectType
    ? createEnvironment({ variables: declaredNames(shape) })
    : plainEnvironment(shape);
  return (conditions ?? []).map(({ name, expression }) => ({
    name,
    expression,
    compiled: compileExpression(environment, expression, ['bool']),
  }));
}

export const outOfBudget =
  'validation failed due to running out of cost budget, no further validation rules will be run';

/** Whether all conditions hold; one that is false decides, whatever happened to the others. */
export function meetsConditions(
  conditions: readonly CompiledCondition[],
  bindings: Bindings,
): boolean | { readonly error: string } {
  if (conditions.length === 0) return true;
  const budget = new CostBudget(CostLimit.matchConditions);
  const errors: string[] = [];
  for (const { expression, compiled } of conditions) {
    if (compiled.program === undefined) {
      errors.push(`compilation error: ${compiled.error}`);
      continue;
    }
    const result = compiled.program.evaluate(bindings);
    budget.spend(result.cost);
    if (budget.exhausted) return { error: outOfBudget };
    if (!result.ok) errors.push(`expression '${expression}' resulted in error: ${result.error.message}`);
    else if (result.value === false) return false;
  }
  if (errors.length === 0) return true;
  const unique = [...new Set(errors)];
  return { error: unique.length === 1 ? unique[0]! : `[${unique.join(', ')}]` };
}
