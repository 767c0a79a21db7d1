import { Interner } from '../../custom-resources/interning.ts';
import { type Compiled, compileExpression, type EnvironmentShape } from '../expressions/environment.ts';
import { type CompiledCondition, compileConditions } from '../expressions/match-conditions.ts';
import { type CompiledVariables, compileVariables } from '../expressions/variables.ts';
import { compileCriteria, type Criteria } from '../matching/criteria.ts';
import type { PolicySpec, Validation } from './types.ts';

export interface CompiledValidation extends Validation {
  readonly compiled: Compiled;
  readonly messageCompiled: Compiled | undefined;
}

/** A policy ready to be evaluated; shared by every server that has the same one. */
export interface CompiledPolicy {
  readonly spec: PolicySpec;
  readonly criteria: Criteria;
  readonly conditions: readonly CompiledCondition[];
  readonly variables: CompiledVariables;
  readonly validations: readonly CompiledValidation[];
  readonly auditAnnotations: readonly { readonly key: string; readonly source: string; readonly compiled: Compiled }[];
  /** Whether a request must look up its namespace before evaluation. */
  readonly usesNamespace: boolean;
}

const specs = new Interner<PolicySpec>();
const compiledSpecs = new WeakMap<PolicySpec, CompiledPolicy>();

/** Compiles a policy once for as long as anybody has it. Never throws: what does not compile fails requests. */
export function compilePolicy(spec: PolicySpec): CompiledPolicy {
  const shared = specs.intern(spec);
  let compiled = compiledSpecs.get(shared);
  if (!compiled) compiledSpecs.set(shared, (compiled = compile(shared)));
  return compiled;
}

/** Compiles anew, with types for `object` and `params` when they are given. */
export function compile(
  spec: PolicySpec,
  types: Pick<EnvironmentShape, 'objectType' | 'paramsType'> = {},
): CompiledPolicy {
  const shape = { params: spec.paramKind !== undefined, authorizer: true, ...types };
  const conditions = compileConditions(spec.matchConditions, shape);
  const variables = compileVariables(spec.variables, shape);
  const environment = variables.environment(true);
  const validations = (spec.validations ?? []).map((validation) => ({
    ...validation,
    compiled: compileExpression(environment, validation.expression, ['bool']),
    messageCompiled: validation.messageExpression
      ? compileExpression(variables.environment(false), validation.messageExpression, ['string'])
      : undefined,
  }));
  const auditAnnotations = (spec.auditAnnotations ?? []).map(({ key, valueExpression }) => ({
    key,
    source: valueExpression,
    compiled: compileExpression(environment, valueExpression, ['string', 'null_type']),
  }));
  const everything = [
    ...conditions.map(({ compiled }) => compiled),
    ...variables.list.map(({ compiled }) => compiled),
    ...validations.flatMap(({ compiled, messageCompiled }) => [compiled, messageCompiled]),
    ...auditAnnotations.map(({ compiled }) => compiled),
  ];
  return {
    spec,
    criteria: compileCriteria(spec.matchConstraints),
    conditions,
    variables,
    validations,
    auditAnnotations,
    usesNamespace: everything.some((compiled) => compiled?.program?.references('namespaceObject')),
  };
}
