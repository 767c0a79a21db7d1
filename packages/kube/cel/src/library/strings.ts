import { DYN, INT, listType, STRING } from '../check/type.ts';
import { fail } from '../errors.ts';
import type { CelValue } from '../values/value.ts';
import type { Library } from './declaration.ts';
import { declare, global, member } from './declaration.ts';
import { formatString } from './string-format.ts';

const STRINGS = listType(STRING);

type Int = number | bigint;

// oxlint-disable-next-line no-control-regex -- ASCII is the point
const isAscii = (text: string): boolean => /^[\u0000-\u007f]*$/.test(text);

/** Characters of a text; indexing them is by code point. */
function points(text: string): string | readonly string[] {
  return isAscii(text) ? text : Array.from(text);
}

function outOfRange(index: Int): never {
  return fail(`index out of range: ${index}`);
}

function charAt(text: string, index: Int): string {
  const chars = points(text);
  const at = Number(index);
  if (at < 0 || at > chars.length) outOfRange(index);
  return chars[at] ?? '';
}

function indexOf(text: string, part: string, offset: Int = 0): number {
  const from = Number(offset);
  if (from < 0) outOfRange(offset);
  const chars = points(text);
  if (part === '') return Math.min(from, chars.length);
  if (from >= chars.length) return -1;
  if (typeof chars === 'string') return chars.indexOf(part, from);
  const unit = text.indexOf(part, chars.slice(0, from).join('').length);
  return unit === -1 ? -1 : Array.from(text.slice(0, unit)).length;
}

function lastIndexOf(text: string, part: string, offset?: Int): number {
  const chars = points(text);
  if (offset === undefined) {
    if (part === '') return chars.length;
    if (chars.length === 0) return -1;
  }
  const from = offset === undefined ? chars.length - 1 : Number(offset);
  if (from < 0) outOfRange(offset!);
  if (part === '') return Math.min(from, chars.length);
  if (from >= chars.length) return -1;
  if (typeof chars === 'string') return chars.lastIndexOf(part, from);
  const unit = text.lastIndexOf(part, chars.slice(0, from).join('').length);
  return unit === -1 ? -1 : Array.from(text.slice(0, unit)).length;
}

function substring(text: string, start: Int, end?: Int): string {
  const chars = points(text);
  const from = Number(start);
  const to = end === undefined ? chars.length : Number(end);
  if (end !== undefined && from > to) fail(`invalid substring range. start: ${start}, end: ${end}`);
  if (from < 0 || from > chars.length) outOfRange(start);
  if (to < 0 || to > chars.length) outOfRange(end!);
  return typeof chars === 'string' ? chars.slice(from, to) : chars.slice(from, to).join('');
}

/** At most `limit` pieces; a negative limit means all, zero none. */
function split(text: string, separator: string, limit: Int = -1): readonly string[] {
  const most = Number(limit);
  if (most === 0) return [];
  const pieces = separator === '' ? Array.from(text) : text.split(separator);
  if (most < 0 || pieces.length <= most) return pieces;
  return [...pieces.slice(0, most - 1), pieces.slice(most - 1).join(separator)];
}

function replace(text: string, old: string, replacement: string, limit: Int = -1): string {
  const most = Number(limit);
  if (most < 0)
    return old === '' ? surround(text, replacement, Number.POSITIVE_INFINITY) : text.split(old).join(replacement);
  if (old === '') return surround(text, replacement, most);
  const pieces = split(text, old, most + 1);
  return pieces.join(replacement);
}

/** Replacing the empty text puts the replacement before every character and at the end. */
function surround(text: string, replacement: string, most: number): string {
  const chars = Array.from(text);
  let out = '';
  for (let i = 0; i <= chars.length; i++) out += (i < most ? replacement : '') + (chars[i] ?? '');
  return out;
}

const upper = (text: string): string => text.replace(/[a-z]/g, (char) => char.toUpperCase());
const lower = (text: string): string => text.replace(/[A-Z]/g, (char) => char.toLowerCase());
const trim = (text: string): string =>
  text.replace(/^[\s\u0085]+|[\s\u0085]+$/g, (blank) =>
    blank.includes('\ufeff') ? blank.replace(/[^\ufeff]/g, '') : '',
  );

const QUOTES: Readonly<Record<string, string>> = {
  '\u0007': '\\a',
  '\b': '\\b',
  '\f': '\\f',
  '\n': '\\n',
  '\r': '\\r',
  '\t': '\\t',
  '\v': '\\v',
  '\\': '\\\\',
  '"': '\\"',
};

const QUOTED = new RegExp(
  `[${Object.keys(QUOTES)
    .map((char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')}]`,
  'g',
);

function quote(text: string): string {
  // Lone surrogates become the replacement character, as invalid UTF-8 does upstream.
  const clean = Buffer.from(text, 'utf8').toString('utf8');
  return `"${clean.replace(QUOTED, (char) => QUOTES[char]!)}"`;
}

function join(list: readonly CelValue[], separator = ''): string {
  if (list.some((item) => typeof item !== 'string')) fail('no such overload');
  return list.join(separator);
}

/** The string functions of the first Kubernetes releases with CEL. */
export const stringLibrary: Library = {
  functions: [
    declare('charAt', member('string_char_at_int', [STRING, INT], STRING, charAt)),
    declare(
      'indexOf',
      member('string_index_of_string', [STRING, STRING], INT, indexOf),
      member('string_index_of_string_int', [STRING, STRING, INT], INT, indexOf),
    ),
    declare(
      'lastIndexOf',
      member('string_last_index_of_string', [STRING, STRING], INT, lastIndexOf),
      member('string_last_index_of_string_int', [STRING, STRING, INT], INT, lastIndexOf),
    ),
    declare('lowerAscii', member('string_lower_ascii', [STRING], STRING, lower)),
    declare('upperAscii', member('string_upper_ascii', [STRING], STRING, upper)),
    declare('trim', member('string_trim', [STRING], STRING, trim)),
    declare(
      'replace',
      member('string_replace_string_string', [STRING, STRING, STRING], STRING, replace),
      member('string_replace_string_string_int', [STRING, STRING, STRING, INT], STRING, replace),
    ),
    declare(
      'split',
      member('string_split_string', [STRING, STRING], STRINGS, split),
      member('string_split_string_int', [STRING, STRING, INT], STRINGS, split),
    ),
    declare(
      'substring',
      member('string_substring_int', [STRING, INT], STRING, substring),
      member('string_substring_int_int', [STRING, INT, INT], STRING, substring),
    ),
    declare(
      'join',
      member('list_join', [STRINGS], STRING, join),
      member('list_join_string', [STRINGS, STRING], STRING, join),
    ),
  ],
};

/** What version 2 of the string functions added. */
export const stringLibraryAdditions: Library = {
  functions: [
    declare('format', member('string_format', [STRING, listType(DYN)], STRING, formatString)),
    declare('strings.quote', global('strings_quote', [STRING], STRING, quote)),
  ],
};

/** `reverse` came with version 3, which Kubernetes does not enable. */
export const stringReverse: Library = {
  functions: [
    declare(
      'reverse',
      member('string_reverse', [STRING], STRING, (text: string) => Array.from(text).toReversed().join('')),
    ),
  ],
};
