/** Turns the expression idioms of older configurations (`??`, `nil`, JSONPath filters) into CEL. */

interface Token {
  readonly kind: 'name' | 'string' | 'number' | 'sign';
  readonly text: string;
  readonly start: number;
  readonly end: number;
}

const TOKEN =
  /\s+|("""|''')[\s\S]*?\1|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|[A-Za-z_]\w*|\d[\w.]*|\?\?|==|!=|\.\?|\[\?|[\s\S]/g;
const OLD_IDIOM = /\?\?|\bnil\b|\[\?\(\s*@/;
const mostRewrites = 100;
/** Nested fallbacks repeat their operands; nobody writes so many that this is reached. */
const longest = 64 * 1024;

/** The same expression in CEL; one that needs no change comes back as it is. */
export function rewriteExpression(source: string): string {
  if (!OLD_IDIOM.test(source)) return source;
  let text = rewriteFilters(source);
  for (const next of [rewriteCoalesce, rewriteNil]) {
    for (let i = 0; i < mostRewrites; i++) {
      const changed = next(text);
      if (changed === undefined) break;
      if (changed.length > longest) return source;
      text = changed;
    }
  }
  return text;
}

function tokenize(source: string): readonly Token[] {
  const tokens: Token[] = [];
  for (const { 0: text, index } of source.matchAll(TOKEN)) {
    if (/^\s/.test(text)) continue;
    const kind = /^["']/.test(text)
      ? 'string'
      : /^[A-Za-z_]/.test(text)
        ? 'name'
        : /^\d/.test(text)
          ? 'number'
          : 'sign';
    tokens.push({ kind, text, start: index, end: index + text.length });
  }
  return tokens;
}

/** `list[?(@.type=='X')].status` becomes `list.filter(c, c.type=='X')[?0].?status.orValue(null)`. */
function rewriteFilters(source: string): string {
  let text = source;
  for (let i = 0; i < mostRewrites; i++) {
    const tokens = tokenize(text);
    const open = tokens.findIndex(({ text: sign }, at) => sign === '[?' && tokens[at + 1]?.text === '(');
    if (open < 0) break;
    const close = closing(tokens, open);
    const inner = tokens.slice(open + 2, close - 1);
    if (!inner.some(({ text: sign }) => sign === '@')) break;
    const condition = text.slice(tokens[open + 1]!.end, tokens[close - 1]!.start);
    const filter = `.filter(c, ${condition.replace(/@(?=\s*\.)/g, 'c')})[?0]`;
    const end = chainEnd(tokens, close);
    const rest = optionalised(text.slice(tokens[close]!.end, tokens[end]!.end));
    const isHandled = /^(?:\?\?|[!=]=\s*nil\b)/.test(text.slice(tokens[end]!.end).trimStart());
    const value = isHandled ? '' : '.orValue(null)';
    text = text.slice(0, tokens[open]!.start) + filter + rest + value + text.slice(tokens[end]!.end);
  }
  return text;
}

/** `.a.b` as `.?a.?b`. */
function optionalised(chain: string): string {
  return chain.replace(/\.(?!\?)\s*(?=[A-Za-z_])/g, '.?');
}

/** The token that closes the bracket at `open`; the last token when nothing does. */
function closing(tokens: readonly Token[], open: number): number {
  let depth = 0;
  for (let i = open; i < tokens.length; i++) {
    if (/^[([{]/.test(tokens[i]!.text) && tokens[i]!.kind === 'sign') depth++;
    else if (/^[)\]}]$/.test(tokens[i]!.text) && --depth === 0) return i;
  }
  return tokens.length - 1;
}

/** The token that opens the bracket closed at `close`. */
function opening(tokens: readonly Token[], close: number): number {
  let depth = 0;
  for (let i = close; i >= 0; i--) {
    if (/^[)\]}]$/.test(tokens[i]!.text)) depth++;
    else if (tokens[i]!.kind === 'sign' && /^[([{]/.test(tokens[i]!.text) && --depth === 0) return i;
  }
  return 0;
}

/** The last token of the fields, indexes and calls that follow the token at `from`. */
function chainEnd(tokens: readonly Token[], from: number): number {
  let at = from;
  for (;;) {
    const next = tokens[at + 1];
    if (!next) return at;
    if ((next.text === '.' || next.text === '.?') && tokens[at + 2]?.kind === 'name') at += 2;
    else if (next.text === '[' || next.text === '[?' || next.text === '(') at = closing(tokens, at + 1);
    else return at;
  }
}

/** The first token of the value that ends at `end`. */
function chainStart(tokens: readonly Token[], end: number): number {
  let at = end;
  for (;;) {
    const token = tokens[at]!;
    if (token.kind === 'sign' && /^[)\]}]$/.test(token.text)) {
      const open = opening(tokens, at);
      const before = tokens[open - 1];
      const continues = before?.kind === 'name' || before?.text === ')' || before?.text === ']';
      if (!continues) return open;
      at = open - 1;
      continue;
    }
    const before = tokens[at - 1];
    if (token.kind !== 'name' || (before?.text !== '.' && before?.text !== '.?')) return at;
    at -= 2;
  }
}

interface Chain {
  readonly text: string;
  readonly optional: boolean;
}

/** A chain whose every step may lead nowhere. Calls need a value, so they get an empty list for a missing one. */
function optionalChain(source: string): Chain {
  const tokens = tokenize(source);
  let at = tokens[0]?.text === '(' ? closing(tokens, 0) : 0;
  let text = source.slice(0, tokens[at]?.end ?? 0);
  let optional = false;
  while (at + 1 < tokens.length) {
    const next = tokens[at + 1]!;
    if (next.text === '.' || next.text === '.?') {
      const isCall = tokens[at + 3]?.text === '(';
      const name = tokens[at + 2]!.text;
      if (!isCall) {
        text += `.?${name}`;
        optional = true;
        at += 2;
        continue;
      }
      const close = closing(tokens, at + 3);
      text += `${optional ? '.orValue([])' : ''}.${name}${source.slice(tokens[at + 3]!.start, tokens[close]!.end)}`;
      optional = name === 'first' || name === 'last';
      at = close;
    } else if (next.text === '[' || next.text === '[?') {
      const close = closing(tokens, at + 1);
      text += `[?${source.slice(next.end, tokens[close]!.end)}`;
      optional = true;
      at = close;
    } else {
      const close = closing(tokens, at + 1);
      text += source.slice(next.start, tokens[close]!.end);
      at = close;
    }
  }
  return { text, optional };
}

/** The rightmost `a ?? b`; both sides bind as tightly as a field access. Undefined when there is none. */
function rewriteCoalesce(source: string): string | undefined {
  const tokens = tokenize(source);
  const sign = tokens.findLastIndex(({ text }) => text === '??');
  if (sign <= 0 || sign + 1 >= tokens.length) return undefined;
  const start = chainStart(tokens, sign - 1);
  let first = sign + 1;
  while (tokens[first]!.text === '-' || tokens[first]!.text === '!') first++;
  const group = /^[([{]/.test(tokens[first]!.text) ? closing(tokens, first) : first;
  const end = chainEnd(tokens, group);
  const fallback = source.slice(tokens[sign + 1]!.start, tokens[end]!.end);
  const { text, optional } = optionalChain(source.slice(tokens[start]!.start, tokens[sign - 1]!.end));
  const value = optional ? `${text}.orValue(${fallback})` : `(${text} != null ? ${text} : ${fallback})`;
  return source.slice(0, tokens[start]!.start) + value + source.slice(tokens[end]!.end);
}

/** The rightmost comparison with `nil`. */
function rewriteNil(source: string): string | undefined {
  const tokens = tokenize(source);
  const nil = tokens.findLastIndex(
    ({ kind, text }, i) => kind === 'name' && text === 'nil' && /^[!=]=$/.test(tokens[i - 1]?.text ?? ''),
  );
  if (nil < 2) return undefined;
  const start = chainStart(tokens, nil - 2);
  const { text, optional } = optionalChain(source.slice(tokens[start]!.start, tokens[nil - 2]!.end));
  const isEqual = tokens[nil - 1]!.text === '==';
  const test = optional ? `${isEqual ? '!' : ''}${text}.hasValue()` : `${text} ${tokens[nil - 1]!.text} null`;
  return source.slice(0, tokens[start]!.start) + test + source.slice(tokens[nil]!.end);
}
