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

// The vectors were made with the macros of the language alone, and the accumulator's older name.
const macros = new MacroSet(standardMacros.filter(({ name }) => name !== 'existsOne'));

function treeOf(expr: string): string {
  return debugText(parse(expr, { macros, optionalSyntax: true }), kindMark, ENTRY_MARK).replaceAll(
    '@result',
    '__result__',
  );
}

/** Literals are compared by the conformance suite; here their spelling may differ. */
function withoutLiteralText(tree: string): string {
  return tree.replace(/^(\s*(?:\/\/.*\n\s*)?)?[^\n]*?\^#\*expr\.Constant_(?:String|Bytes|Double)Value#/gm, (line) =>
    line.replace(/(?:b?"(?:[^"\\]|\\.)*"|[-+\d.eE]+)(?=\^#\*expr\.Constant_(?:String|Bytes|Double)Value#)/g, '_'),
  );
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
        if (withoutLiteralText(tree) !== withoutLiteralText(test.ast))
          failures.push(`${test.original.expr}\n${tree}\n---\n${test.ast}`);
      } catch (error) {
        failures.push(`${test.original.expr}: ${error instanceof Error ? error.message : String(error)}`);
      }
    }
    expect(failures).toEqual([]);
    expect(compared).toBeGreaterThan(50);
  });

  it('When an expression does not parse upstream, it should not parse here', () => {
    for (const { test } of vectors) {
      // Upstream generated the vectors without optional syntax.
      if (test.ast !== undefined || test.error?.includes("unsupported syntax '?'")) continue;
      expect(() => treeOf(test.original.expr), test.original.expr).toThrow(CelCompileError);
    }
  });
});
