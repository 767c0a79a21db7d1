import { Interner } from '../../custom-resources/interning.ts';
import { type Compiled, compileExpression } from '../expressions/environment.ts';
import { type CompiledCondition, compileConditions } from '../expressions/match-conditions.ts';
import { type CompiledVariables, compileVariables } from '../expressions/variables.ts';
import { compileCriteria, type Criteria } from '../matching/criteria.ts';
import type { PolicyFrame } from '../validating-policy/types.ts';
import { withoutStructLiterals } from './struct-literals.ts';

export interface MutatingPolicySpec extends PolicyFrame {
  readonly mutations?: readonly {
    readonly patchType: string;
    readonly jsonPatch?: { readonly expression: string };
    readonly applyConfiguration?: { readonly expression: string };
  }[];
  readonly reinvocationPolicy?: string;
}

export interface CompiledMutation {
  readonly patchType: 'JSONPatch' | 'ApplyConfiguration';
  readonly expression: string;
  readonly compiled: Compiled;
}

export interface CompiledMutatingPolicy {
  readonly spec: MutatingPolicySpec;
  readonly criteria: Criteria;
  readonly conditions: readonly CompiledCondition[];
  readonly variables: CompiledVariables;
  readonly mutations: readonly CompiledMutation[];
  readonly usesNamespace: boolean;
}

const specs = new Interner<MutatingPolicySpec>();
const compiledSpecs = new WeakMap<MutatingPolicySpec, CompiledMutatingPolicy>();

/** Compiles a policy once for as long as anybody has it. Never throws. */
export function compileMutatingPolicy(spec: MutatingPolicySpec): CompiledMutatingPolicy {
  const shared = specs.intern(spec);
  let compiled = compiledSpecs.get(shared);
  if (!compiled) compiledSpecs.set(shared, (compiled = compile(shared)));
  return compiled;
}

function compile(spec: MutatingPolicySpec): CompiledMutatingPolicy {
  const shape = { params: spec.paramKind !== undefined, authorizer: true, mixedLiterals: true };
  const conditions = compileConditions(spec.matchConditions, shape);
  const variables = compileVariables(
    spec.variables?.map(({ name, expression }) => {
      const rewritten = withoutStructLiterals(expression);
      return { name, expression: 'error' in rewritten ? expression : rewritten.source };
    }),
    shape,
  );
  const mutations = (spec.mutations ?? []).map((mutation): CompiledMutation => {
    const patchType = mutation.patchType === 'JSONPatch' ? 'JSONPatch' : 'ApplyConfiguration';
    const { expression = '' } = (patchType === 'JSONPatch' ? mutation.jsonPatch : mutation.applyConfiguration) ?? {};
    return { patchType, expression, compiled: compileMutation(expression, patchType, variables) };
  });
  const programs = [
    ...conditions.map(({ compiled }) => compiled),
    ...variables.list.map(({ compiled }) => compiled),
    ...mutations.map(({ compiled }) => compiled),
  ];
  return {
    spec,
    criteria: compileCriteria(spec.matchConstraints),
    conditions,
    variables,
    mutations,
    usesNamespace: programs.some(({ program }) => program?.references('namespaceObject')),
  };
}

function compileMutation(
  expression: string,
  patchType: CompiledMutation['patchType'],
  variables: CompiledVariables,
): Compiled {
  const rewritten = withoutStructLiterals(expression);
  if ('error' in rewritten) return { error: `compilation failed: ${rewritten.error}` };
  const compiled = compileExpression(variables.environment(true), rewritten.source, []);
  if (!compiled.program) return compiled;
  const { kind } = compiled.program.type;
  if (patchType === 'JSONPatch' && kind !== 'list' && kind !== 'dyn')
    return { error: 'must evaluate to list(JSONPatch)' };
  if (patchType === 'ApplyConfiguration' && kind !== 'dyn') return { error: 'must evaluate to Object' };
  return compiled;
}
