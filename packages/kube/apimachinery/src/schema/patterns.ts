import { RE2JS } from 're2js';
import { errorMessage } from '../error-message.ts';

/** What `regexp.Compile` would have answered: a linear-time matcher, or why the pattern is refused. */
export type CompiledPattern =
  | { readonly matches: (text: string) => boolean; readonly error?: undefined }
  | { readonly error: string };

const cache = new Map<string, CompiledPattern>();
/** Far above what real CRDs bring (57 distinct patterns upstream); bounds what a hostile client can pin. */
const cacheLimit = 10_000;

/** The compiled form of an RE2 pattern, shared by every schema in the process. */
export function compilePattern(pattern: string): CompiledPattern {
  const known = cache.get(pattern);
  if (known) return known;
  if (cache.size >= cacheLimit) cache.clear();
  const compiled = compile(pattern);
  cache.set(pattern, compiled);
  return compiled;
}

/** Compiled programs are a hundred times their pattern; nothing legitimate comes near this. */
const maxPatternLength = 50_000;

function compile(pattern: string): CompiledPattern {
  if (pattern.length > maxPatternLength) return { error: 'expression too large' };
  let re2: RE2JS;
  try {
    re2 = RE2JS.compile(pattern);
  } catch (error) {
    return { error: errorMessage(error) };
  }
  const native = nativeTwin(pattern);
  return { matches: native ? (text) => native.test(text) : remembered((text) => re2.test(text)) };
}

const rememberedTexts = 256;
const rememberedLength = 128;

/** Names, reasons and images come again and again; remembering them is a tenth of asking RE2. */
function remembered(test: (text: string) => boolean): (text: string) => boolean {
  const answers = new Map<string, boolean>();
  return (text) => {
    if (text.length > rememberedLength) return test(text);
    const known = answers.get(text);
    if (known !== undefined) return known;
    if (answers.size >= rememberedTexts) answers.clear();
    const answer = test(text);
    answers.set(text, answer);
    return answer;
  };
}

/**
 * JavaScript's own engine is ten times faster, and safe and equal in meaning for a narrow subset: one anchored
 * character class or literal after another, where each may repeat but no group does. Everything else stays with RE2.
 */
function nativeTwin(pattern: string): RegExp | undefined {
  if (!pattern.startsWith('^') || !pattern.endsWith('$')) return undefined;
  const body = pattern.slice(1, -1);
  const atom = /^(?:\[\^?[A-Za-z0-9 _/:@.+-]+\]|[A-Za-z0-9_/:@-]|\\[./-])(?:\{\d{1,3}(?:,\d{0,3})?\}|[*+?])?/;
  let rest = body;
  let repeats = 0;
  while (rest !== '') {
    const match = atom.exec(rest);
    if (!match) return undefined;
    if (/[*+?}]$/.test(match[0]) && !/\\.$/.test(match[0])) repeats++;
    rest = rest.slice(match[0].length);
  }
  // Two unbounded neighbours already backtrack quadratically; more would be worse than RE2.
  if (repeats > 1) return undefined;
  try {
    return new RegExp(`^${body}$`, 'u');
  } catch {
    return undefined;
  }
}
