import { tests as comprehensions } from '@bufbuild/cel-spec/testdata/comprehension.js';
import { tests as conformance } from '@bufbuild/cel-spec/testdata/conformance.js';
import { tests as parsing } from '@bufbuild/cel-spec/testdata/parsing.js';
import { describe, expect, it } from 'vitest';
import { CelCompileError } from '../errors.ts';
import { MacroSet } from '../syntax/macro.ts';
import { parse } from '../syntax/parser.ts';
import { standardMacros } from '../syntax/standard-macros.ts';
import { debugText, ENTRY_MARK, kindMark } from './debug-text.ts';
import { vectorsOf } from './vectors.ts';

// The vectors were made with the macros of the language alone.
const macros = new MacroSet(standardMacros);

function treeOf(expr: string): string {
  return debugText(parse(expr, { macros, optionalSyntax: true }), kindMark, ENTRY_MARK);
}

/** Values of literals are compared by the conformance suite; here their spelling may differ. */
function withoutLiteralText(tree: string): string {
  return tree.replace(/(?:b?"(?:[^"\\]|\\.)*"|[-+\w.]+)\^#\*expr\.Constant_(String|Bytes|Double)Value#/g, '$1');
}

describe.each([
  ['parsing', parsing],
  ['conformance', conformance],
  ['comprehension', comprehensions],
] as const)('%s vectors', (_name, suite) => {
  const vectors = vectorsOf(suite);

  it('When an expression parses upstream, it should parse to the same tree', () => {
    const failures: string[] = [];
    let compared = 0;
    for (const { test } of vectors) {
      if (test.ast === undefined) continue;
      compared++;
      try {
        const tree = treeOf(test.original.expr);
        if (withoutLiteralText(tree) !== withoutLiteralText(test.ast)) failures.push(test.original.expr);
      } catch (error) {
        failures.push(`${test.original.expr}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    expect(failures.join('\n=====\n')).toBe('');
    expect(compared).toBeGreaterThan(50);
  });

  it('When an expression does not parse upstream, it should not parse here', () => {
    for (const { test } of vectors) {
      // Generated without optional and escaped-field syntax, and without anything the extensions add.
      if (test.ast !== undefined || test.error === undefined || test.error.includes('unsupported syntax')) continue;
      if (!test.error.includes('Syntax error')) continue;
      expect(() => treeOf(test.original.expr)).toThrow(CelCompileError);
    }
  });
});
