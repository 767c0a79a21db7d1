/** Thrown for an escape the grammar lets through but the value cannot have. */
export class LiteralFailure {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

const SIMPLE: Readonly<Record<string, number>> = {
  a: 7,
  b: 8,
  f: 12,
  n: 10,
  r: 13,
  t: 9,
  v: 11,
  '"': 34,
  "'": 39,
  '\\': 92,
  '?': 63,
  '`': 96,
};

/** The value of a string token. */
export function stringValue(token: string): string {
  const { body, raw } = literalBody(token);
  if (raw || !body.includes('\\')) return body;
  let out = '';
  for (const piece of pieces(body)) out += typeof piece === 'string' ? piece : codePoint(piece);
  return out;
}

/** The value of a bytes token (with its `b` prefix): text as UTF-8, `\x` and octal escapes as single bytes. */
export function bytesValue(token: string): Uint8Array {
  const { body, raw } = literalBody(token.slice(1));
  const encoder = new TextEncoder();
  if (raw || !body.includes('\\')) return encoder.encode(body);
  const out: number[] = [];
  for (const piece of pieces(body)) {
    if (typeof piece === 'string') out.push(...encoder.encode(piece));
    else if (piece.unicode) throw new LiteralFailure('invalid bytes literal: unable to unescape string');
    else out.push(piece.value & 0xff);
  }
  return Uint8Array.from(out);
}

interface Escaped {
  readonly value: number;
  readonly unicode: boolean;
}

function codePoint({ value }: Escaped): string {
  if (value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff)) {
    throw new LiteralFailure('invalid string literal: unable to unescape string');
  }
  return String.fromCodePoint(value);
}

function literalBody(token: string): { body: string; raw: boolean } {
  const raw = /^[rR]/.test(token);
  const quoted = raw ? token.slice(1) : token;
  const width = quoted.length >= 6 && (quoted.startsWith('"""') || quoted.startsWith("'''")) ? 3 : 1;
  const body = quoted.slice(width, quoted.length - width);
  return { body: body.replace(/\r\n?/g, '\n'), raw };
}

function* pieces(body: string): Generator<string | Escaped> {
  let from = 0;
  for (let at = body.indexOf('\\'); at !== -1; at = body.indexOf('\\', from)) {
    if (at > from) yield body.slice(from, at);
    const kind = body[at + 1]!;
    const simple = SIMPLE[kind];
    if (simple !== undefined) {
      yield { value: simple, unicode: false };
      from = at + 2;
    } else if (kind === 'x' || kind === 'X') {
      yield { value: Number.parseInt(body.slice(at + 2, at + 4), 16), unicode: false };
      from = at + 4;
    } else if (kind === 'u' || kind === 'U') {
      const width = kind === 'u' ? 4 : 8;
      yield { value: Number.parseInt(body.slice(at + 2, at + 2 + width), 16), unicode: true };
      from = at + 2 + width;
    } else {
      yield { value: Number.parseInt(body.slice(at + 1, at + 4), 8), unicode: false };
      from = at + 4;
    }
  }
  if (from < body.length) yield body.slice(from);
}
