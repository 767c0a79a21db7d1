import { parseFailure } from './error.ts';

export type TokenKind =
  | 'text'
  | 'open'
  | 'close'
  | 'identifier'
  | 'keyword'
  | 'field'
  | 'variable'
  | 'dot'
  | 'string'
  | 'number'
  | 'char'
  | 'bool'
  | 'nil'
  | 'pipe'
  | 'declare'
  | 'assign'
  | 'comma'
  | 'leftParen'
  | 'rightParen'
  | 'space'
  | 'end';

export interface Token {
  readonly kind: TokenKind;
  /** As written; for text and strings the value they stand for. */
  readonly text: string;
  readonly at: number;
}

const KEYWORDS = new Set(['if', 'else', 'end', 'range', 'with', 'break', 'continue', 'define', 'template', 'block']);

const NUMBER = /[+-]?(?:0[xX][\da-fA-F_]+|0[oO]?[0-7_]+(?![\d.eE])|(?:\d[\d_]*)?\.?\d+(?:[eE][+-]?\d+)?|\d[\d_]*\.?)/y;
const WORD = /[\p{L}_][\p{L}\p{Nd}_]*/uy;
const SPACE = /[ \t\r\n]+/y;
const COMMENT = /\{\{(?:- )?\/\*[\s\S]*?\*\/(?: -)?\}\}/y;

export function lineAt(source: string, at: number): number {
  let line = 1;
  for (let i = source.indexOf('\n'); i >= 0 && i < at; i = source.indexOf('\n', i + 1)) line++;
  return line;
}

/** Splits a template into text and the tokens of its actions; trim markers are applied to the text here. */
export function tokenize(name: string, source: string): readonly Token[] {
  return new Lexer(name, source).run();
}

class Lexer {
  private readonly tokens: Token[] = [];
  private readonly name: string;
  private readonly source: string;
  private at = 0;

  constructor(name: string, source: string) {
    this.name = name;
    this.source = source;
  }

  run(): readonly Token[] {
    let trimNext = false;
    while (this.at < this.source.length) {
      const open = this.source.indexOf('{{', this.at);
      const end = open < 0 ? this.source.length : open;
      const trimsLeft = open >= 0 && /^\{\{-[ \t\r\n]/.test(this.source.slice(open, open + 4));
      this.text(this.source.slice(this.at, end), trimNext, trimsLeft);
      this.at = end;
      if (open < 0) break;
      trimNext = this.comment() ?? this.action(trimsLeft);
    }
    this.push('end', '', this.source.length);
    return this.tokens;
  }

  private push(kind: TokenKind, text: string, at: number): void {
    this.tokens.push({ kind, text, at });
  }

  private fail(message: string, at = this.at): never {
    throw parseFailure(this.name, lineAt(this.source, at), message);
  }

  private text(raw: string, trimStart: boolean, trimEnd: boolean): void {
    let text = trimStart ? raw.replace(/^[ \t\r\n]+/, '') : raw;
    if (trimEnd) text = text.replace(/[ \t\r\n]+$/, '');
    if (text !== '') this.push('text', text, this.at);
  }

  /** Skips a comment; tells whether the text after it is to be trimmed, or undefined when there is no comment. */
  private comment(): boolean | undefined {
    COMMENT.lastIndex = this.at;
    const [whole] = COMMENT.exec(this.source) ?? [];
    if (whole === undefined) {
      if (/^\{\{(?:- )?\/\*/.test(this.source.slice(this.at, this.at + 6))) this.fail('unclosed comment');
      return undefined;
    }
    this.at += whole.length;
    return whole.endsWith(' -}}');
  }

  private action(trimsLeft: boolean): boolean {
    this.push('open', '{{', this.at);
    const start = this.at;
    this.at += trimsLeft ? 3 : 2;
    let parens = 0;
    for (;;) {
      if (this.at >= this.source.length) this.fail('unclosed action', start);
      const close = /^(?:[ \t\r\n]-)?\}\}/.exec(this.source.slice(this.at, this.at + 4))?.[0];
      if (close !== undefined) {
        if (parens > 0) this.fail('unclosed left paren');
        this.push('close', close, this.at);
        this.at += close.length;
        return close.length > 2;
      }
      parens += this.token();
      if (parens < 0) this.fail('unexpected right paren');
    }
  }

  /** Reads one token of an action; returns how it changes the nesting of parentheses. */
  private token(): number {
    const at = this.at;
    const char = this.source[at]!;
    if (this.matched(SPACE, 'space')) return 0;
    switch (char) {
      case '"':
        this.quoted();
        return 0;
      case '`':
        this.raw();
        return 0;
      case "'":
        this.character();
        return 0;
      case '|':
        return this.single('pipe');
      case ',':
        return this.single('comma');
      case '(':
        this.single('leftParen');
        return 1;
      case ')':
        this.single('rightParen');
        return -1;
      case '=':
        return this.single('assign');
      case ':':
        if (this.source[at + 1] !== '=') this.fail('expected :=');
        this.push('declare', ':=', at);
        this.at += 2;
        return 0;
      case '$':
        this.variable();
        return 0;
      case '.':
        this.field();
        return 0;
      default:
        this.wordOrNumber(char);
        return 0;
    }
  }

  private single(kind: TokenKind): number {
    this.push(kind, this.source[this.at]!, this.at);
    this.at++;
    return 0;
  }

  private matched(pattern: RegExp, kind: TokenKind): boolean {
    pattern.lastIndex = this.at;
    const found = pattern.exec(this.source)?.[0];
    if (!found) return false;
    this.push(kind, found, this.at);
    this.at += found.length;
    return true;
  }

  private word(): string {
    WORD.lastIndex = this.at;
    return WORD.exec(this.source)?.[0] ?? '';
  }

  private variable(): void {
    const at = this.at++;
    const word = this.word();
    this.push('variable', `$${word}`, at);
    this.at += word.length;
  }

  private field(): void {
    const at = this.at++;
    const word = this.word();
    if (word !== '') {
      this.push('field', word, at);
      this.at += word.length;
    } else if (/\d/.test(this.source[this.at] ?? '')) {
      this.at = at;
      this.number();
    } else this.push('dot', '.', at);
  }

  private wordOrNumber(char: string): void {
    const word = this.word();
    if (word === '') {
      if (/[\d+-]/.test(char)) return this.number();
      this.fail(`unrecognized character in action: ${JSON.stringify(char)}`);
    }
    const kind = KEYWORDS.has(word)
      ? 'keyword'
      : word === 'true' || word === 'false'
        ? 'bool'
        : word === 'nil'
          ? 'nil'
          : 'identifier';
    this.push(kind, word, this.at);
    this.at += word.length;
  }

  private number(): void {
    if (!this.matched(NUMBER, 'number')) this.fail(`bad number syntax: ${JSON.stringify(this.source[this.at])}`);
    if (this.word() !== '') this.fail(`bad number syntax: ${JSON.stringify(this.tokens.at(-1)!.text + this.word())}`);
  }

  private quoted(): void {
    const at = this.at;
    const found = /^"(?:[^"\\\n]|\\[^\n])*"/.exec(this.source.slice(at))?.[0];
    if (found === undefined) this.fail('unterminated quoted string');
    this.push('string', unquote(found.slice(1, -1)) ?? this.fail(`invalid syntax: ${found}`), at);
    this.at += found.length;
  }

  private raw(): void {
    const end = this.source.indexOf('`', this.at + 1);
    if (end < 0) this.fail('unterminated raw quoted string');
    this.push('string', this.source.slice(this.at + 1, end), this.at);
    this.at = end + 1;
  }

  private character(): void {
    const found = /^'(?:[^'\\\n]|\\[^\n]+?)'/u.exec(this.source.slice(this.at, this.at + 16))?.[0];
    const value = found === undefined ? undefined : unquote(found.slice(1, -1));
    if (found === undefined || value === undefined || Array.from(value).length !== 1)
      this.fail('unterminated character constant');
    this.push('char', value, this.at);
    this.at += found.length;
  }
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\u0007',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
  '"': '"',
  "'": "'",
};

/** The text that a Go string literal stands for; undefined when an escape is wrong. */
function unquote(body: string): string | undefined {
  let valid = true;
  const text = body.replace(
    /\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|([0-7]{3})|(.))/gsu,
    (_, hex?: string, short?: string, long?: string, octal?: string, simple?: string) => {
      const code = hex ?? short ?? long;
      const point = code !== undefined ? Number.parseInt(code, 16) : octal ? Number.parseInt(octal, 8) : undefined;
      if (point !== undefined && point <= 0x10ffff) return String.fromCodePoint(point);
      const plain = simple === undefined ? undefined : ESCAPES[simple];
      if (plain === undefined) valid = false;
      return plain ?? '';
    },
  );
  return valid ? text : undefined;
}
