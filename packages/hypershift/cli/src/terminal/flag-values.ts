import { InvalidArgumentError } from 'commander';
import { parseGoDuration } from '@hypershift-ts/kube-apimachinery';

/** Parsers of flag values, for commander; each says what it expected. */

export function integer(text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !Number.isSafeInteger(value)) throw new InvalidArgumentError('It must be a whole number.');
  return value;
}

/** `30s`, `1h30m`; kept as it was written, because objects carry it so. */
export function duration(text: string): string {
  if (parseGoDuration(text) === undefined)
    throw new InvalidArgumentError('It must be a duration such as 30s, 10m or 1h30m.');
  return text;
}

export function durationMs(text: string): number {
  return parseGoDuration(duration(text)) ?? 0;
}

export function boolean(text: string): boolean {
  if (text === 'true' || text === 'false') return text === 'true';
  throw new InvalidArgumentError('It must be true or false.');
}

/** Values of a flag that may be given again. */
export function repeated(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}

/** The same, and commas separate values too. */
export function list(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, ...text.split(',').map((part) => part.trim())].filter((part) => part !== '');
}
