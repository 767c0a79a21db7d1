import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Bindings, CelType, Program } from './index.ts';
import { AUTHORIZER, BOOL, CostBudget, createEnvironment, DYN, lazyObject, objectType } from './index.ts';

const FOLDER = join(import.meta.dirname, '../../../../../shared/vectors/machine-api');
const available = existsSync(join(FOLDER, 'policy-cases.json'));
if (!available) process.stderr.write('skipping admission policies: vectors are not there\n');

interface Policy {
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly matchConditions?: readonly { name: string; expression: string }[];
    readonly variables?: readonly { name: string; expression: string }[];
    readonly validations: readonly { expression: string; message?: string; messageExpression?: string }[];
  };
}

interface Case {
  readonly id: string;
  readonly policy: string;
  readonly operation: string;
  readonly username: string;
  readonly object?: unknown;
  readonly oldObject?: unknown;
  readonly params?: readonly unknown[];
  readonly expect: 'allow' | 'deny' | 'warn';
}

function read(name: string): unknown {
  return JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as unknown;
}

const VARIABLES: Record<string, CelType> = {
  object: DYN,
  oldObject: DYN,
  request: DYN,
  params: DYN,
  namespaceObject: DYN,
  authorizer: AUTHORIZER,
};

/** A policy compiled the way the API server does: each variable sees those before it. */
function compilePolicy({ spec }: Policy) {
  const types: Record<string, CelType> = {};
  const environment = () =>
    createEnvironment({ variables: { ...VARIABLES, variables: objectType('kubernetes.variables', { ...types }) } });
  const variables = (spec.variables ?? []).map(({ name, expression }) => {
    const program = environment().compile(expression);
    types[name] = program.type;
    return { name, program };
  });
  const env = environment();
  return {
    variables,
    conditions: (spec.matchConditions ?? []).map(({ expression }) => env.compile(expression, { expect: BOOL })),
    validations: spec.validations.map(({ expression }) => env.compile(expression, { expect: BOOL })),
    messages: spec.validations.flatMap(({ messageExpression }) =>
      messageExpression ? [env.compile(messageExpression)] : [],
    ),
  };
}

function passes(programs: readonly Program[], bindings: Bindings, budget: CostBudget): boolean {
  return programs.every((program) => program.test(bindings, { budget }) === true);
}

describe.skipIf(!available)('machine API admission policies', () => {
  const documents = available
    ? [read('upstream-policies/default.json'), read('upstream-policies/aws.json')].flat()
    : [];
  const policies = new Map(
    (documents as Policy[])
      .filter(({ kind }) => kind === 'ValidatingAdmissionPolicy')
      .map((policy) => [policy.metadata.name, policy]),
  );
  const cases = available ? (read('policy-cases.json') as { cases: Case[] }).cases : [];

  it('When compiled, every upstream policy should type-check', () => {
    for (const policy of policies.values()) expect(() => compilePolicy(policy)).not.toThrow();
    expect(policies.size).toBe(13);
  });

  it.each(cases)('When evaluating $id, it should $expect', (given) => {
    const policy = compilePolicy(policies.get(given.policy)!);
    const budget = new CostBudget();
    const params = given.params && given.params.length > 0 ? given.params : [null];
    const verdicts = params.map((param) => {
      const bindings: Bindings = {
        object: given.object ?? null,
        oldObject: given.oldObject ?? null,
        request: { operation: given.operation, userInfo: { username: given.username } },
        params: param,
        namespaceObject: null,
        variables: lazyObject(
          Object.fromEntries(
            policy.variables.map(({ name, program }) => [
              name,
              () => {
                const result = program.evaluate(bindings, { budget });
                if (!result.ok) throw result.error;
                return result.value;
              },
            ]),
          ),
        ),
      };
      return !passes(policy.conditions, bindings, budget) || passes(policy.validations, bindings, budget);
    });
    expect(verdicts.every(Boolean) ? 'allow' : 'deny').toBe(given.expect === 'allow' ? 'allow' : 'deny');
  });
});
