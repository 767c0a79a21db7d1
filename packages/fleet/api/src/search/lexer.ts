import { badRequest } from '../errors/index.ts';

export interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'symbol' | 'end';
  /** Names as written, strings without quotes and escapes. */
  readonly text: string;
  readonly at: number;
}

const maxTokens = 2000;
const symbols = ['<=', '>=', '!=', '<>', '=', '<', '>', '(', ')', '[', ']', ','];
const space = /\s/;
// Label keys may have a prefix and dashes: labels.hyperfleet.io/cluster-id
const name = /[A-Za-z_][A-Za-z0-9_./-]*/y;
const number = /-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?(?![A-Za-z0-9_.])/y;

export const syntaxError = (problem: string): Error => badRequest(`failed to parse search query: ${problem}`);

function match(pattern: RegExp, text: string, at: number): string | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text)?.[0];
}

/** A quoted text; the quote itself is written twice inside. */
function quoted(text: string, at: number): { value: string; end: number } {
  const quote = text.charAt(at);
  let value = '';
  for (let from = at + 1; ; ) {
    const close = text.indexOf(quote, from);
    if (close < 0) throw syntaxError(`the string at position ${at + 1} is not closed`);
    value += text.slice(from, close);
    if (text.charAt(close + 1) !== quote) return { value, end: close + 1 };
    value += quote;
    from = close + 2;
  }
}

function tokenAt(text: string, at: number): { token: Token; end: number } {
  const char = text.charAt(at);
  if (char === "'" || char === '"') {
    const { value, end } = quoted(text, at);
    return { token: { kind: 'string', text: value, at }, end };
  }
  for (const [kind, pattern] of [
    ['number', number],
    ['name', name],
  ] as const) {
    const found = match(pattern, text, at);
    if (found !== undefined) return { token: { kind, text: found, at }, end: at + found.length };
  }
  const symbol = symbols.find((one) => text.startsWith(one, at));
  if (symbol === undefined) throw syntaxError(`unexpected ${JSON.stringify(char)} at position ${at + 1}`);
  return { token: { kind: 'symbol', text: symbol, at }, end: at + symbol.length };
}

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = [];
  for (let at = 0; ; ) {
    while (space.test(text.charAt(at))) at++;
    if (at >= text.length) break;
    if (tokens.length >= maxTokens) throw syntaxError(`more than ${maxTokens} words`);
    const { token, end } = tokenAt(text, at);
    tokens.push(token);
    at = end;
  }
  return [...tokens, { kind: 'end', text: '', at: text.length }];
}
