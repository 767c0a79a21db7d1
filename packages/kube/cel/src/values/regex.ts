import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import { RE2JS } from 're2js';
import { fail } from '../errors.ts';

/** Programs are immutable and shared by every expression in the process. */
const cache = new Map<string, RE2JS | string>();
const CACHE_LIMIT = 2000;
const LONGEST_PATTERN = 100_000;

/** A compiled RE2 pattern, or an `EvalFailure` in Go's words. */
export function regex(pattern: string, prefix = ''): RE2JS {
  const compiled = compileRegex(pattern);
  return typeof compiled === 'string' ? fail(prefix + compiled) : compiled;
}

/** The program, or the reason why the pattern has none. */
export function compileRegex(pattern: string): RE2JS | string {
  const known = cache.get(pattern);
  if (known) return known;
  const compiled = compileUncached(pattern);
  if (cache.size >= CACHE_LIMIT) cache.delete(cache.keys().next().value!);
  cache.set(pattern, compiled);
  return compiled;
}

function compileUncached(pattern: string): RE2JS | string {
  if (pattern.length > LONGEST_PATTERN) return 'error parsing regexp: expression too large';
  try {
    return RE2JS.compile(pattern);
  } catch (error) {
    const text = errorMessage(error);
    return text.startsWith('error parsing regexp') ? text : `error parsing regexp: ${text}`;
  }
}

/** Unanchored search, as `matches` does. */
export function searches(program: RE2JS, text: string): boolean {
  return program.test(text);
}
