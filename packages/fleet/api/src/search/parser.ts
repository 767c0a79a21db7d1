import { badRequest } from '../errors/index.ts';
import type { Comparison, Literal, SearchNode } from './ast.ts';
import { syntaxError, type Token, tokensOf } from './lexer.ts';

export const maxSearchLength = 4096;
/** Nested parentheses and `not`; deeper ones are attacks, and every level is a level of recursion here and in SQL. */
const maxDepth = 32;
const maxTerms = 200;

const comparisons: Readonly<Record<string, Comparison>> = {
  '=': '=',
  '!=': '!=',
  '<>': '!=',
  '<': '<',
  '<=': '<=',
  '>': '>',
  '>=': '>=',
};

/** Reads a search expression. Binding, from tight to loose: parentheses, comparison, not, and, or. */
export function parseSearch(text: string): SearchNode {
  if (text.length > maxSearchLength) throw badRequest(`search must be at most ${maxSearchLength} characters`);
  const parser = new Parser(tokensOf(text));
  return parser.parse();
}

class Parser {
  private readonly tokens: readonly Token[];
  private next = 0;
  private depth = 0;
  private terms = 0;

  constructor(tokens: readonly Token[]) {
    this.tokens = tokens;
  }

  parse(): SearchNode {
    const node = this.either();
    if (this.peek().kind !== 'end') throw this.unexpected('the end');
    return node;
  }

  private either(): SearchNode {
    let left = this.both();
    while (this.keyword('or')) left = { op: 'or', left, right: this.both() };
    return left;
  }

  private both(): SearchNode {
    let left = this.negated();
    while (this.keyword('and')) left = { op: 'and', left, right: this.negated() };
    return left;
  }

  private negated(): SearchNode {
    return this.keyword('not') ? { op: 'not', operand: this.deeper(() => this.negated()) } : this.primary();
  }

  private primary(): SearchNode {
    if (this.symbol('(')) {
      const inner = this.deeper(() => this.either());
      this.expectSymbol(')');
      return inner;
    }
    return this.term();
  }

  private term(): SearchNode {
    if (++this.terms > maxTerms) throw syntaxError(`more than ${maxTerms} comparisons`);
    const token = this.take();
    if (token.kind !== 'name') throw this.unexpected('a field name', token);
    const field = token.text;
    const comparison = comparisons[this.peek().kind === 'symbol' ? this.peek().text : ''];
    if (comparison !== undefined) {
      this.next++;
      return { op: 'compare', field, comparison, value: this.literal() };
    }
    if (this.keyword('is')) return this.nullTest(field);
    const negated = this.keyword('not');
    const test = this.wordTest(field);
    return negated ? { op: 'not', operand: test } : test;
  }

  private nullTest(field: string): SearchNode {
    const negated = this.keyword('not');
    if (!this.keyword('null')) throw this.unexpected('null');
    const test: SearchNode = { op: 'null', field };
    return negated ? { op: 'not', operand: test } : test;
  }

  private wordTest(field: string): SearchNode {
    if (this.keyword('in')) return { op: 'in', field, values: this.list() };
    if (this.keyword('like')) return { op: 'compare', field, comparison: 'like', value: this.literal() };
    if (this.keyword('ilike')) return { op: 'compare', field, comparison: 'ilike', value: this.literal() };
    if (this.keyword('between')) {
      const low = this.literal();
      if (!this.keyword('and')) throw this.unexpected('and');
      return { op: 'between', field, low, high: this.literal() };
    }
    throw this.unexpected('an operator');
  }

  private list(): Literal[] {
    const close = this.symbol('(') ? ')' : ']';
    if (close === ']') this.expectSymbol('[');
    const values = [this.literal()];
    while (this.symbol(',')) values.push(this.literal());
    this.expectSymbol(close);
    return values;
  }

  private literal(): Literal {
    const token = this.take();
    if (token.kind === 'string') return { kind: 'string', value: token.text };
    if (token.kind === 'number') return { kind: 'number', value: token.text };
    const word = token.kind === 'name' ? token.text.toLowerCase() : '';
    if (word === 'true' || word === 'false') return { kind: 'boolean', value: word === 'true' };
    throw this.unexpected('a value', token);
  }

  private deeper<T>(work: () => T): T {
    if (++this.depth > maxDepth) throw syntaxError(`nested more than ${maxDepth} levels deep`);
    const result = work();
    this.depth--;
    return result;
  }

  private peek(): Token {
    return this.tokens[this.next] as Token;
  }

  private take(): Token {
    const token = this.peek();
    if (token.kind !== 'end') this.next++;
    return token;
  }

  private keyword(word: string): boolean {
    const token = this.peek();
    if (token.kind !== 'name' || token.text.toLowerCase() !== word) return false;
    this.next++;
    return true;
  }

  private symbol(text: string): boolean {
    const token = this.peek();
    if (token.kind !== 'symbol' || token.text !== text) return false;
    this.next++;
    return true;
  }

  private expectSymbol(text: string): void {
    if (!this.symbol(text)) throw this.unexpected(JSON.stringify(text));
  }

  private unexpected(wanted: string, token = this.peek()): Error {
    const found = token.kind === 'end' ? 'the end' : JSON.stringify(token.text);
    return syntaxError(`expected ${wanted} but found ${found} at position ${token.at + 1}`);
  }
}
