/** How Go's YAML 1.1 encoder (the one behind `sigs.k8s.io/yaml`) writes one string. */

const bestWidth = 80;
const reserved = new Set(
  [
    'y Y yes Yes YES true True TRUE on On ON n N no No NO false False FALSE off Off OFF',
    '~ null Null NULL .nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF',
  ].flatMap((words) => words.split(' ')),
);
const float = /^[-+]?(\.[0-9]+|[0-9]+(\.[0-9]*)?)([eE][-+]?[0-9]+)?$/;
const dotFloat = /^\.[0-9]+([eE][-+]?[0-9]+)?$/;
const base60 = /^[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?$/;
const integer = /^[-+]?(0[xX][0-9a-fA-F]+|0[bB][01]+|0[oO]?[0-7]+|0|[1-9][0-9]*)$/;
const timestamp =
  /^(\d{4})-(\d{1,2})-(\d{1,2})(?:[Tt](\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?(?:Z|[-+]\d{2}:\d{2})| (\d{1,2}):(\d{1,2}):(\d{1,2})(?:[.,]\d+)?)?$/;

/** No blank, and a beginning that is neither a number nor a sign with a meaning. */
const oneWord = /^[A-Za-z_/][\x21-\x7e]*$/;

/** Would a YAML 1.1 reader take this unquoted text for something else than a string? */
function resolvesToOther(text: string): boolean {
  if (text === '' || reserved.has(text)) return true;
  const first = text[0] ?? '';
  if (first === '.') return dotFloat.test(text);
  if (!/[-+0-9]/.test(first)) return false;
  if (isTimestamp(text)) return true;
  const plain = text.replaceAll('_', '');
  if (integer.test(plain)) return fitsInteger(plain) || float.test(plain);
  return float.test(plain) && Number.isFinite(Number(plain));
}

function fitsInteger(plain: string): boolean {
  const negative = plain.startsWith('-');
  const digits = plain.replace(/^[-+]/, '');
  const [, prefix = '', number = ''] = /^(0[xXoObB]|0(?=[0-7]))?0*(.*)$/.exec(digits) ?? [];
  // No base needs more signs for 64 bits, and reading a number of a million digits takes long.
  if (number.length > 64) return false;
  const base = prefix === '0' ? '0o' : prefix.toLowerCase();
  const value = number === '' ? 0n : BigInt(`${base}${number}`);
  if (negative) return value <= 1n << 63n;
  // Unsigned numbers take no sign.
  return value < 1n << 63n || (!plain.startsWith('+') && value < 1n << 64n);
}

function isTimestamp(text: string): boolean {
  const match = timestamp.exec(text);
  if (!match) return false;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const [hour, minute, second] = [4, 5, 6].map((at) => Number(match[at] ?? match[at + 3] ?? 0));
  const daysInMonth = month >= 1 && month <= 12 ? new Date(Date.UTC(year, month, 0)).getUTCDate() : 0;
  return day >= 1 && day <= daysInMonth && (hour ?? 0) < 24 && (minute ?? 0) < 60 && (second ?? 0) < 60;
}

interface Analysis {
  readonly plainAllowed: boolean;
  readonly singleQuotedAllowed: boolean;
  readonly blockAllowed: boolean;
}

const isSpace = (character: string | undefined): boolean => character === ' ';
const isBlank = (character: string | undefined): boolean => character === ' ' || character === '\t';
const isBreak = (character: string | undefined): boolean =>
  character !== undefined && '\r\n\u0085\u2028\u2029'.includes(character);

function isPrintable(character: string): boolean {
  const code = character.codePointAt(0) ?? 0;
  if (code === 0x0a || (code >= 0x20 && code <= 0x7e)) return true;
  // Go's table covers the basic plane only; anything beyond is escaped.
  return (code >= 0xa0 && code <= 0xd7ff) || (code >= 0xe000 && code <= 0xfffd && code !== 0xfeff);
}

function analyse(characters: readonly string[]): Analysis {
  const last = characters.length - 1;
  const start = characters.slice(0, 3).join('');
  let indicators = start === '---' || start === '...';
  let [special, spaceBreak, breakSpace, breaks] = [false, false, false, false];
  for (const [i, character] of characters.entries()) {
    const next = characters[i + 1];
    const beforeBlank = i === last || isBlank(next);
    if (i === 0) {
      if ('#,[]{}&*!|>\'"%@`'.includes(character)) indicators = true;
      if ('?:-'.includes(character) && beforeBlank) indicators = true;
    } else if (character === ':' && beforeBlank) indicators = true;
    else if (character === '#' && (isBlank(characters[i - 1]) || isBreak(characters[i - 1]))) indicators = true;
    if (!isPrintable(character)) special = true;
    if (isBreak(character)) {
      breaks = true;
      if (isSpace(characters[i - 1])) spaceBreak = true;
    } else if (isSpace(character) && isBreak(characters[i - 1])) breakSpace = true;
  }
  const outerSpace = isSpace(characters[0]) || isSpace(characters[last]);
  const escaped = spaceBreak || special;
  return {
    plainAllowed: !(outerSpace || breaks || indicators || escaped),
    singleQuotedAllowed: !(breakSpace || escaped),
    blockAllowed: !(isSpace(characters[last]) || escaped),
  };
}

/** Where the scalar begins and how deep it is; `key`: it stands before a colon. */
export interface ScalarPlace {
  readonly column: number;
  readonly indent: number;
  readonly key: boolean;
}

/** The text of a string scalar, without the blank before it. */
export function yamlString(value: string, place: ScalarPlace): string {
  // Most text, and all large text (file contents), is of this sort and needs no closer look.
  if (oneWord.test(value) && !value.endsWith(':') && !reserved.has(value)) return value;
  const characters = Array.from(value);
  const ambiguous = resolvesToOther(value) || base60.test(value);
  if (characters.length === 0) return '""';
  const analysis = analyse(characters);
  if (value.includes('\n')) {
    return analysis.blockAllowed && !place.key ? literal(characters, place) : doubleQuoted(characters, place);
  }
  if (ambiguous) return doubleQuoted(characters, place);
  if (analysis.plainAllowed) return plain(characters, place);
  const multiline = characters.some(isBreak);
  const single = analysis.singleQuotedAllowed && !(place.key && multiline);
  return single ? singleQuoted(characters, place) : doubleQuoted(characters, place);
}

/** Collects output while it knows the column, because long text breaks at the first space after column 80. */
class Line {
  text = '';
  column: number;
  private readonly indent: string;

  constructor(place: ScalarPlace, opening = '') {
    this.column = place.column;
    this.indent = ' '.repeat(place.indent);
    this.write(opening);
  }

  write(text: string): void {
    this.text += text;
    this.column += Array.from(text).length;
  }

  fold(): void {
    this.text += `\n${this.indent}`;
    this.column = this.indent.length;
  }
}

function plain(characters: readonly string[], place: ScalarPlace): string {
  const line = new Line(place);
  for (const [i, character] of characters.entries()) {
    const foldable = !place.key && isSpace(character) && !isSpace(characters[i - 1]) && !isSpace(characters[i + 1]);
    if (foldable && line.column > bestWidth) line.fold();
    else line.write(character);
  }
  return line.text;
}

function singleQuoted(characters: readonly string[], place: ScalarPlace): string {
  const line = new Line(place, "'");
  for (const [i, character] of characters.entries()) {
    const inside = i > 0 && i < characters.length - 1;
    const foldable = !place.key && inside && isSpace(character) && !isSpace(characters[i - 1]);
    if (foldable && !isSpace(characters[i + 1]) && line.column > bestWidth) line.fold();
    else line.write(character === "'" ? "''" : character);
  }
  return `${line.text}'`;
}

const shortEscapes: Readonly<Record<string, string>> = {
  '\0': '\\0',
  '\u0007': '\\a',
  '\b': '\\b',
  '\t': '\\t',
  '\n': '\\n',
  '\v': '\\v',
  '\f': '\\f',
  '\r': '\\r',
  '\u001b': '\\e',
  '"': '\\"',
  '\\': '\\\\',
  '\u0085': '\\N',
  '\u2028': '\\L',
  '\u2029': '\\P',
};

function escaped(character: string): string {
  const short = shortEscapes[character];
  if (short) return short;
  const code = character.codePointAt(0) ?? 0;
  const [letter, width] = code <= 0xff ? ['x', 2] : code <= 0xffff ? ['u', 4] : ['U', 8];
  return `\\${letter}${code
    .toString(16)
    .toUpperCase()
    .padStart(width as number, '0')}`;
}

function doubleQuoted(characters: readonly string[], place: ScalarPlace): string {
  const line = new Line(place, '"');
  let afterSpace = false;
  for (const [i, character] of characters.entries()) {
    const escape = !isPrintable(character) || isBreak(character) || character === '"' || character === '\\';
    const inside = i > 0 && i < characters.length - 1;
    if (escape) line.write(escaped(character));
    else if (!place.key && inside && isSpace(character) && !afterSpace && line.column > bestWidth) {
      line.fold();
      if (isSpace(characters[i + 1])) line.write('\\');
    } else line.write(character);
    afterSpace = !escape && isSpace(character);
  }
  return `${line.text}"`;
}

function literal(characters: readonly string[], place: ScalarPlace): string {
  const first = characters[0];
  const last = characters.length - 1;
  const indentHint = isSpace(first) || isBreak(first) ? '2' : '';
  const chomp = !isBreak(characters[last]) ? '-' : last === 0 || isBreak(characters[last - 1]) ? '+' : '';
  let text = `|${indentHint}${chomp}\n`;
  let atStart = true;
  for (const character of characters) {
    if (isBreak(character)) {
      text += character === '\n' ? '\n' : character;
      atStart = true;
      continue;
    }
    if (atStart) text += ' '.repeat(place.indent);
    text += character;
    atStart = false;
  }
  // The line break that ends the node is written by whoever comes next.
  return text.endsWith('\n') ? text.slice(0, -1) : text;
}
