import { tests } from '@bufbuild/cel-spec/testdata/conformance.js';
import { describe, expect, it } from 'vitest';
import type { CelType } from '../check/type.ts';
import { createEnvironment } from '../environment.ts';
import { CelCompileError } from '../errors.ts';
import type { CelResult } from '../program.ts';
import { celEqual } from '../values/equality.ts';
import { doubleOf, isDouble, typeName } from '../values/value.ts';
import type { Exclusion } from './exclusions.ts';
import { conformanceExclusions } from './exclusions.ts';
import type { Vector } from './vectors.ts';
import { typeOf, valueOf, vectorsOf } from './vectors.ts';

interface Original {
  readonly expr: string;
  readonly container?: string;
  readonly typeEnv?: readonly { name: string; ident?: { type: Record<string, unknown> }; function?: unknown }[];
  readonly bindings?: Readonly<Record<string, { value: Record<string, unknown> }>>;
  readonly value?: Record<string, unknown>;
  readonly typedResult?: { readonly result?: Record<string, unknown> };
  readonly evalError?: unknown;
  readonly checkOnly?: boolean;
}

function evaluate(original: Original): CelResult | 'compiled' {
  const variables: Record<string, CelType> = {};
  for (const { name, ident } of original.typeEnv ?? []) if (ident) variables[name] = typeOf(ident.type);
  const env = createEnvironment({
    variables,
    extensions: ['bindings', 'string-reverse'],
    homogeneousLiterals: false,
    kubernetesVersion: '1.37',
  });
  const program = env.compile(original.expr);
  if (original.checkOnly) return 'compiled';
  const bindings = Object.fromEntries(
    Object.entries(original.bindings ?? {}).map(([name, { value }]) => [name, valueOf(value)]),
  );
  return program.evaluate(bindings);
}

/** Undefined when the vector passes, otherwise what went wrong. */
function problem({ test }: Vector): string | undefined {
  const original = test.original as unknown as Original;
  const expected = original.value ?? original.typedResult?.result ?? { boolValue: true };
  try {
    const result = evaluate(original);
    if (result === 'compiled') return undefined;
    if (original.evalError) return result.ok ? `expected an error, got ${String(result.value)}` : undefined;
    if (!result.ok) return `error: ${result.error.message}`;
    const wanted = valueOf(expected);
    const isSame =
      isDouble(wanted) && Number.isNaN(doubleOf(wanted))
        ? isDouble(result.value) && Number.isNaN(doubleOf(result.value))
        : celEqual(result.value, wanted) && typeName(result.value) === typeName(wanted);
    return isSame ? undefined : `got ${typeName(result.value)} ${String(result.value)}`;
  } catch (error) {
    if (original.evalError && error instanceof CelCompileError) return undefined;
    return error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  }
}

function covers({ id, expr, unchecked }: Exclusion, vector: Vector): boolean {
  if (unchecked) return vector.test.original.disableCheck === true;
  return (id?.test(vector.id) ?? true) && (expr?.test(vector.test.original.expr) ?? true);
}

describe('cel-spec conformance', () => {
  const vectors = vectorsOf(tests);
  const used = new Set<Exclusion>();
  const suites = new Map<string, Vector[]>();
  for (const vector of vectors) suites.set(vector.suite, [...(suites.get(vector.suite) ?? []), vector]);
  it.each([...suites.keys()])('When evaluating suite %s, it should give the expected results', (suite) => {
    const failures: string[] = [];
    for (const vector of suites.get(suite)!) {
      const found = problem(vector);
      if (found === undefined) continue;
      const exclusion = conformanceExclusions.find((candidate) => covers(candidate, vector));
      if (exclusion) used.add(exclusion);
      else failures.push(`${vector.id}: ${vector.test.original.expr}\n    ${found}`);
    }
    expect(failures.join('\n')).toBe('');
  });

  it('When an exclusion is no longer needed, it should be removed', () => {
    expect(conformanceExclusions.filter((exclusion) => !used.has(exclusion))).toEqual([]);
  });
});
