import type { CelIssue } from './source.ts';
import { locationAt } from './source.ts';

type TokenType =
  | 'ident'
  | 'escaped-ident'
  | 'int'
  | 'uint'
  | 'float'
  | 'string'
  | 'bytes'
  | 'punct'
  | 'keyword'
  | 'eof';

export interface Token {
  readonly type: TokenType;
  readonly text: string;
  readonly pos: number;
}

const KEYWORDS = new Set(['true', 'false', 'null', 'in']);
const WORD = /[A-Za-z_][A-Za-z0-9_]*/y;
const NUMBER =
  /0x[0-9a-fA-F]+[uU]?|(?:[0-9]+\.[0-9]+(?:[eE][+-]?[0-9]+)?|[0-9]+[eE][+-]?[0-9]+|\.[0-9]+(?:[eE][+-]?[0-9]+)?)|[0-9]+[uU]?/y;
const PUNCT = /==|!=|<=|>=|&&|\|\||[[\]{}().,\-!?:+*/%<>]/y;
const ESCAPED_IDENT = /`[A-Za-z0-9_.\-/ ]+`/y;
const BLANK = /(?:[\t \r\n\f]+|\/\/[^\n]*)+/y;
const ESCAPE = String.raw`\\(?:[abfnrtv"'\\?\x60]|[0-3][0-7][0-7]|[xX][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})`;
/** Every alternative is deterministic in its first character, so matching is linear. */
const STRING = new RegExp(
  [
    String.raw`[bB]?[rR]"""[^]*?"""`,
    String.raw`[bB]?[rR]'''[^]*?'''`,
    String.raw`[bB]?[rR]"[^"\n\r]*"`,
    String.raw`[bB]?[rR]'[^'\n\r]*'`,
    String.raw`[bB]?"""(?:${ESCAPE}|[^\\])*?"""`,
    String.raw`[bB]?'''(?:${ESCAPE}|[^\\])*?'''`,
    String.raw`[bB]?"(?:${ESCAPE}|[^\\"\n\r])*"`,
    String.raw`[bB]?'(?:${ESCAPE}|[^\\'\n\r])*'`,
  ].join('|'),
  'y',
);

/** Splits an expression into tokens; unreadable characters become issues and are skipped. */
export function tokenize(source: string): { tokens: Token[]; issues: CelIssue[] } {
  const tokens: Token[] = [];
  const issues: CelIssue[] = [];
  let pos = 0;
  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = pos;
    return pattern.exec(source)?.[0];
  };
  while (pos < source.length) {
    const blank = take(BLANK);
    if (blank !== undefined) {
      pos += blank.length;
      continue;
    }
    const token = nextToken(take);
    if (token !== undefined) {
      tokens.push({ ...token, pos });
      pos += token.text.length;
      continue;
    }
    const bad = unreadable(source, pos);
    issues.push({
      message: `Syntax error: token recognition error at: '${bad}'`,
      location: locationAt(source, pos),
    });
    pos += bad.length;
    if (issues.length >= 100) break;
  }
  tokens.push({ type: 'eof', text: '<EOF>', pos: source.length });
  return { tokens, issues };
}

function nextToken(take: (pattern: RegExp) => string | undefined): { type: TokenType; text: string } | undefined {
  let text = take(STRING);
  if (text !== undefined) return { type: /^[bB]/.test(text) ? 'bytes' : 'string', text };
  text = take(WORD);
  if (text !== undefined) return { type: KEYWORDS.has(text) ? 'keyword' : 'ident', text };
  text = take(NUMBER);
  if (text !== undefined) return { type: numberType(text), text };
  text = take(PUNCT);
  if (text !== undefined) return { type: 'punct', text };
  text = take(ESCAPED_IDENT);
  if (text !== undefined) return { type: 'escaped-ident', text };
  return undefined;
}

function numberType(text: string): TokenType {
  if (/[uU]$/.test(text)) return 'uint';
  if (text.startsWith('0x')) return 'int';
  return /[.eE]/.test(text) ? 'float' : 'int';
}

/** What could not be read: a broken string up to where it breaks, half of a double operator with what follows. */
function unreadable(source: string, pos: number): string {
  const first = String.fromCodePoint(source.codePointAt(pos)!);
  if (first === '&' || first === '|') {
    const next = source.codePointAt(pos + 1);
    return next === undefined ? first : first + String.fromCodePoint(next);
  }
  if (first === '`') return /^`[A-Za-z0-9_.\-/ ]*[^`]?/s.exec(source.slice(pos, pos + 256))?.[0] ?? first;
  if (first !== '"' && first !== "'") return first;
  BROKEN_STRING.lastIndex = pos;
  return BROKEN_STRING.exec(source)?.[0] ?? first;
}

/** As much of a single-line string as is well formed, and the characters that are not. */
const BROKEN_STRING = new RegExp(
  String.raw`"(?:${ESCAPE}|[^\\"\n\r])*(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?[^]?)?|'(?:${ESCAPE}|[^\\'\n\r])*(?:\\(?:[xX][0-9a-fA-F]?|u[0-9a-fA-F]{0,3}|U[0-9a-fA-F]{0,7})?[^]?)?`,
  'y',
);
