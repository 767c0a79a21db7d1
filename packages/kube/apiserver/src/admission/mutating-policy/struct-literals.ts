import { unescapeFieldName } from '@hypershift-ts/kube-cel';

/**
 * Mutations build typed objects: `Object{spec: Object.spec{replicas: 3}}` and `JSONPatch{op: "add", ...}`. All their
 * fields are dynamic and the result is JSON, so they are read as map literals: `dyn({"spec": dyn({"replicas": 3})})`.
 */

const patchFields = ['op', 'path', 'from', 'value'];
const escapeKey = 'jsonpatch.escapeKey';

const token = new RegExp(
  [
    String.raw`\/\/[^\n]*`,
    String.raw`[bB]?[rR]?(?:"""[^]*?"""|'''[^]*?''')`,
    String.raw`[bB]?[rR]"[^"\n]*"|[bB]?[rR]'[^'\n]*'`,
    String.raw`[bB]?"(?:\\[^]|[^"\\\n])*"|[bB]?'(?:\\[^]|[^'\\\n])*'`,
    '`[^`\\n]*`',
    String.raw`[A-Za-z_][A-Za-z0-9_]*`,
    String.raw`\s+`,
    String.raw`[^]`,
  ].join('|'),
  'y',
);

interface Frame {
  readonly close: string;
  /** What stands for the closing bracket. */
  readonly end: string;
  /** The type of a struct literal; absent for other brackets. */
  readonly struct?: string;
  /** At the place of a field's name. */
  atField: boolean;
}

/** The expression with struct literals as maps, or what is wrong with one of them. */
export function withoutStructLiterals(source: string): { readonly source: string } | { readonly error: string } {
  const tokens = tokensOf(source);
  const frames: Frame[] = [];
  let output = '';
  for (let at = 0; at < tokens.length; at++) {
    const text = tokens[at]!;
    const frame = frames.at(-1);
    const name = isName(text) && !precededByDot(tokens, at) ? dottedName(tokens, at) : undefined;
    if (name && isStructType(name.text) && tokens[name.next] === '{') {
      frames.push({ close: '}', end: '})', struct: name.text, atField: true });
      output += 'dyn({';
      at = name.next;
    } else if (name?.text === escapeKey && tokens[name.next] === '(') {
      frames.push({ close: ')', end: ").replace('~', '~0').replace('/', '~1'))", atField: false });
      output += '((';
      at = name.next;
    } else if (frame?.struct !== undefined && frame.atField && (isName(text) || text.startsWith('`'))) {
      const field = text.startsWith('`') ? text.slice(1, -1) : (unescapeFieldName(text) ?? text);
      if (frame.struct === 'JSONPatch' && !patchFields.includes(field)) return { error: `undefined field '${field}'` };
      frame.atField = false;
      output += JSON.stringify(field);
    } else if (text === '{' || text === '(' || text === '[') {
      const close = text === '{' ? '}' : text === '(' ? ')' : ']';
      frames.push({ close, end: close, atField: false });
      output += text;
    } else if (frame && text === frame.close) {
      frames.pop();
      output += frame.end;
    } else {
      if (text === ',' && frame?.struct !== undefined) frame.atField = true;
      output += text;
    }
  }
  return { source: output };
}

function tokensOf(source: string): string[] {
  const tokens: string[] = [];
  token.lastIndex = 0;
  while (token.lastIndex < source.length) tokens.push(token.exec(source)![0]);
  return tokens;
}

const isName = (text: string): boolean => /^[A-Za-z_]\w*$/.test(text);
const isSpace = (text: string | undefined): boolean => text !== undefined && /^\s/.test(text);

function precededByDot(tokens: readonly string[], at: number): boolean {
  let before = at - 1;
  while (isSpace(tokens[before])) before--;
  return tokens[before] === '.';
}

/** `Object.spec` from here, and where the next token after it stands. */
function dottedName(tokens: readonly string[], start: number): { text: string; next: number } {
  let text = tokens[start]!;
  let at = start + 1;
  for (;;) {
    while (isSpace(tokens[at])) at++;
    if (tokens[at] !== '.') return { text, next: at };
    let part = at + 1;
    while (isSpace(tokens[part])) part++;
    const name = tokens[part];
    if (name === undefined || !isName(name)) return { text, next: at };
    text += `.${name}`;
    at = part + 1;
  }
}

function isStructType(name: string): boolean {
  return name === 'JSONPatch' || name === 'Object' || name.startsWith('Object.');
}
