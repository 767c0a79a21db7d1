import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { Template, TemplateError } from './index.ts';

/** A small generator of numbers that gives the same ones every time. */
function numbers(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const pieces = [
  '{{',
  '}}',
  '{{-',
  '-}}',
  ' ',
  '.',
  '.a',
  '.b.c',
  '$',
  '$x',
  ':=',
  '=',
  '|',
  '(',
  ')',
  ',',
  '"',
  '`',
  "'x'",
  '1',
  '-1.5e3',
  '0x',
  'if',
  'else',
  'end',
  'range',
  'with',
  'break',
  'eq',
  'and',
  'or',
  'not',
  'len',
  'index',
  'printf',
  'date',
  'now',
  'default',
  'lower',
  'true',
  'nil',
  '/*',
  '*/',
  '\n',
  '%d',
  'é',
  '\\',
  '__proto__',
  'constructor',
];

const data = { a: [1, { b: 'x' }], b: { c: null }, x: 'text' };

describe('Template with damaged text', () => {
  it('When texts are put together by chance, it should render, refuse or fail, and nothing else', () => {
    const next = numbers(7);
    const clock = new ManualClock(0);
    let rendered = 0;
    for (let i = 0; i < 5000; i++) {
      const source = Array.from({ length: 1 + next(14) }, () => pieces[next(pieces.length)]!).join(
        next(2) === 0 ? '' : ' ',
      );
      try {
        new Template(`{{ ${source} }}`).render(data, clock);
        rendered++;
      } catch (error) {
        if (!(error instanceof TemplateError))
          throw new Error(`${JSON.stringify(source)} threw ${String(error)}`, { cause: error });
      }
    }
    expect(rendered).toBeGreaterThan(50);
  });
});
