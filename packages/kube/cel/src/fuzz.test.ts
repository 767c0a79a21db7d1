import { celEnv, isCelError, parse, plan } from '@bufbuild/cel';
import { describe, expect, it } from 'vitest';
import { CelCompileError, createEnvironment, DYN } from './index.ts';
import { CelDouble, CelUint } from './values/value.ts';

/** A small deterministic generator: failures can be repeated. */
function randomFrom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}

function pick<T>(random: () => number, items: readonly T[]): T {
  return items[Math.floor(random() * items.length)]!;
}

const FRAGMENTS = [
  'self',
  '.',
  'a',
  '[',
  ']',
  '(',
  ')',
  '{',
  '}',
  '?',
  ':',
  ',',
  '+',
  '-',
  '*',
  '/',
  '%',
  '&&',
  '||',
  '!',
  '==',
  '<',
  'in',
  ' ',
  '"',
  "'",
  '"""',
  '\\',
  'r"',
  'b"x"',
  '1',
  '1u',
  '0x',
  '1.5',
  '1e9',
  'true',
  'null',
  'has(',
  '.all(x, ',
  '.map(x, x',
  '.?a',
  '[?0]',
  '`a`',
  '.matches("(")',
  '.optMap(v, v)',
  '9223372036854775808',
  '\u0000',
  '\ud83d',
  'é',
  '//',
  '\n',
  '.size()',
  'cel.bind(',
  '.filter(x, ',
  'optional.of(',
  '.format([',
  '%',
  '.sortBy(x, ',
  'dyn(',
  '.transformMap(k, v, ',
]; // prettier-ignore

const env = createEnvironment({ variables: { self: DYN } });
const SELF = { a: [1, 'x', { b: null }], b: { c: 2.5 } };

/** What came of a text; anything thrown that is not a compile error escapes. */
function outcome(source: string): 'refused' | 'evaluated' {
  try {
    env.compile(source).evaluate({ self: SELF });
    return 'evaluated';
  } catch (error) {
    if (error instanceof CelCompileError) return 'refused';
    throw error;
  }
}

describe('hostile input', () => {
  it('When the text is random, it should compile or be refused, and never throw anything else', () => {
    const random = randomFrom(20261115);
    for (let i = 0; i < 6000; i++) {
      const length = 1 + Math.floor(random() * 14);
      expect(outcome(Array.from({ length }, () => pick(random, FRAGMENTS)).join(''))).toMatch(/refused|evaluated/);
    }
  });

  it('When a valid text is damaged, it should still be handled', () => {
    const random = randomFrom(7);
    const valid =
      "self.a.filter(x, type(x) == int && x > 0).map(y, {'k': y, ?'o': self.?b.?c}).all(z, z.k in [1, 2] || z.k.matches(r'^\\d+$'))";
    for (let i = 0; i < 3000; i++) {
      const at = Math.floor(random() * valid.length);
      const cut = Math.floor(random() * 4);
      expect(outcome(valid.slice(0, at) + pick(random, FRAGMENTS) + valid.slice(at + cut))).toMatch(
        /refused|evaluated/,
      );
    }
  });

  it.each([
    ['deep nesting', '('.repeat(100_000)],
    ['long sums', `1${'+1'.repeat(40_000)}`],
    ['long selections', `self${'.a'.repeat(40_000)}`],
    ['long negations', `${'!'.repeat(90_000)}true`],
    ['nested lists', `${'['.repeat(5000)}${']'.repeat(5000)}`],
    ['nested optMap', `self${'.optMap(x, x)'.repeat(200)}`],
    ['unfinished string', `'${'a'.repeat(99_000)}`],
    ['too long', 'a'.repeat(100_001)],
    ['many errors', 'a + '.repeat(20_000)],
    ['many logical terms', `true${' && true'.repeat(10_000)}`],
    ['a catastrophic pattern', `'${'a'.repeat(5000)}!'.matches('^(a+)+$')`],
  ])('When the text is made of %s, it should be handled within a second', (_name, source) => {
    const start = performance.now();
    expect(outcome(source)).toMatch(/refused|evaluated/);
    expect(performance.now() - start).toBeLessThan(1000);
  });
});

/** Values of the other implementation in a common form. */
function plain(value: unknown): unknown {
  if (value instanceof CelDouble) return value.value;
  if (value instanceof CelUint) return value.value;
  if (typeof value === 'bigint') return Number(value);
  if (typeof value === 'object' && value !== null && Symbol.iterator in value)
    return Array.from(value as Iterable<unknown>, plain);
  return value;
}

describe('differential', () => {
  const other = celEnv();
  const ours = createEnvironment({ variables: {}, homogeneousLiterals: false });

  function expression(random: () => number, depth: number): string {
    const sub = (): string => expression(random, depth - 1);
    if (depth === 0) return pick(random, ['1', '2', '-3', '0', '7', '9223372036854775807', '-1']);
    switch (Math.floor(random() * 6)) {
      case 0:
        return `(${sub()} ${pick(random, ['+', '-', '*', '/', '%'])} ${sub()})`;
      case 1:
        return `(${sub()} ${pick(random, ['<', '<=', '==', '!=', '>'])} ${sub()} ? ${sub()} : ${sub()})`;
      case 2:
        return `[${sub()}, ${sub()}, ${sub()}][${pick(random, ['0', '1', '2', '3'])}]`;
      case 3:
        return `[${sub()}, ${sub()}].filter(x, x > ${sub()}).size()`;
      case 4:
        return `(${sub()} > 0 || ${sub()} / 0 > 1 ? ${sub()} : ${sub()})`;
      default:
        return `[${sub()}, ${sub()}].map(x, x + 1)[0]`;
    }
  }

  it('When an expression is evaluated by another implementation, it should give the same result', () => {
    const random = randomFrom(42);
    for (let i = 0; i < 400; i++) {
      const source = expression(random, 3);
      const theirs = plan(other, parse(source))({});
      const result = ours.compile(source).evaluate({});
      const expected = isCelError(theirs) ? 'error' : plain(theirs);
      expect({ source, value: result.ok ? plain(result.value) : 'error' }).toEqual({ source, value: expected });
    }
  });
});
