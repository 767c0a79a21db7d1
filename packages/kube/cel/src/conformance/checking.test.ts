import { tests as checking } from '@bufbuild/cel-spec/testdata/checking.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import { describe, expect, it } from 'vitest';
import type { CelType } from '../check/type.ts';
import * as types from '../check/type.ts';
import { createEnvironment } from '../environment.ts';
import { CelCompileError } from '../errors.ts';
import { debugText, typeMark } from './debug-text.ts';
import { checkingExclusions } from './exclusions.ts';
import { vectorsOf } from './vectors.ts';

/** The variables cel-go's checker tests declare, as far as they are not protobuf messages. */
const variables: Record<string, CelType> = {
  is: types.STRING,
  ii: types.INT,
  iu: types.UINT,
  iz: types.BOOL,
  ib: types.BYTES,
  id: types.DOUBLE,
  ix: types.NULL,
};

/** Names only cel-go's own tests declare, and constants Kubernetes refuses before they can fail. */
function isForeseen(error: unknown): boolean {
  if (!(error instanceof CelCompileError)) return false;
  return (
    error.stage === 'program' ||
    error.issues.some(({ message }) => /^undeclared reference|^invalid \w+ argument$/.test(message))
  );
}

describe.each([
  ['checking', checking, 40],
  ['parsing', parsing, 30],
  ['conformance', conformance, 1000],
] as const)('%s vectors', (_name, suite, least) => {
  it('When an expression type-checks upstream, it should get the same types', () => {
    const env = createEnvironment({
      variables,
      homogeneousLiterals: false,
      extensions: ['bindings', 'string-reverse'],
    });
    const failures: string[] = [];
    let compared = 0;
    for (const { test } of vectorsOf(suite)) {
      if (test.checkedAst === undefined) continue;
      if (checkingExclusions.some(({ expr }) => expr?.test(test.original.expr))) continue;
      try {
        const { checked } = env.compile(test.original.expr);
        compared++;
        const ours = debugText(checked.root, typeMark(checked));
        if (comparable(ours) !== comparable(test.checkedAst))
          failures.push(`${test.original.expr}\n${ours}\n---\n${test.checkedAst}`);
      } catch (error) {
        if (!isForeseen(error)) failures.push(`${test.original.expr}: ${String(error)}`);
      }
    }
    expect(failures.join('\n=====\n')).toBe('');
    expect(compared).toBeGreaterThan(least);
  });
});

/** Spelling of literals and names of overloads aside: our libraries add overloads to standard functions. */
function comparable(tree: string): string {
  return tree.replace(/(?:b?"(?:[^"\\]|\\.)*"|[-+\w.]+)~(string|bytes|double)\b/g, '$1').replace(/\^[\w@.|-]+/g, '');
}
