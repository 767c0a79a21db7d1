import { MaestroError } from '../maestro-error.ts';

/** A word, a text in quotes, a number, or a sign. */
export interface Token {
  readonly kind: 'word' | 'text' | 'number' | 'sign';
  readonly value: string;
  readonly at: number;
}

const pattern =
  /(?:(?<word>[A-Za-z_][A-Za-z0-9_]*)|'(?<text>(?:[^']|'')*)'|(?<number>-?\d+(?:\.\d+)?)|(?<sign>->>|->|@>|<>|!=|<=|>=|[=<>(),]))/y;

const longest = 4096;

export function tokensOf(source: string): readonly Token[] {
  if (source.length > longest) throw bad(`it is longer than ${longest} characters`);
  const tokens: Token[] = [];
  for (let at = firstAfter(source, 0); at < source.length; at = firstAfter(source, pattern.lastIndex)) {
    pattern.lastIndex = at;
    const groups = pattern.exec(source)?.groups;
    if (!groups) throw bad(`unexpected ${JSON.stringify(source.slice(at, at + 20))} at ${at}`);
    const [kind, value] = Object.entries(groups).find(([, found]) => found !== undefined) ?? ['sign', ''];
    tokens.push({ kind: kind as Token['kind'], value: kind === 'text' ? value.replaceAll("''", "'") : value, at });
  }
  return tokens;
}

/** Where the next token begins. */
function firstAfter(source: string, from: number): number {
  let at = from;
  while (/\s/.test(source.charAt(at))) at++;
  return at;
}

export const bad = (why: string): MaestroError =>
  new MaestroError('badRequest', `failed to parse search query: ${why}`);
