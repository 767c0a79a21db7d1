import { parseGoDuration } from '@hypershift-ts/kube-apimachinery';

/** Flags of a Go program as given: every name with its values in order. */
export class ProgramFlags {
  private readonly values = new Map<string, string[]>();
  /** Words that are no flags. */
  readonly words: readonly string[];

  /** `booleans` are flags that never take the next word as their value. */
  constructor(args: readonly string[], booleans: ReadonlySet<string> = new Set()) {
    const words: string[] = [];
    for (let at = 0; at < args.length; at++) {
      const arg = args[at] as string;
      const match = /^--?([A-Za-z][\w.-]*)(?:=([\s\S]*))?$/.exec(arg);
      if (!match) {
        words.push(arg);
        continue;
      }
      const name = match[1] as string;
      const next = args[at + 1];
      let value = match[2];
      if (value === undefined && !booleans.has(name) && next !== undefined && !next.startsWith('-')) {
        value = next;
        at++;
      }
      const list = this.values.get(name);
      if (list) list.push(value ?? 'true');
      else this.values.set(name, [value ?? 'true']);
    }
    this.words = words;
  }

  /** The last occurrence wins; an empty value counts as absent. */
  text(name: string): string | undefined {
    return this.values.get(name)?.at(-1) || undefined;
  }

  /** Several occurrences and commas both make a list. */
  list(name: string): string[] {
    return (this.values.get(name) ?? []).flatMap((value) => value.split(',')).filter((part) => part !== '');
  }

  /** Every occurrence as it was written. */
  all(name: string): readonly string[] {
    return this.values.get(name) ?? [];
  }

  boolean(name: string, otherwise = false): boolean {
    const value = this.values.get(name)?.at(-1);
    return value === undefined ? otherwise : value === 'true' || value === '1';
  }

  number(name: string): number | undefined {
    const text = this.text(name);
    if (text === undefined) return undefined;
    const value = Number(text);
    if (!Number.isSafeInteger(value) || value < 0)
      throw new Error(`--${name}: ${JSON.stringify(text)} is not a number`);
    return value;
  }

  /** Milliseconds of a Go duration such as `1h30m` or `100ms`. */
  milliseconds(name: string): number | undefined {
    const text = this.text(name);
    return text === undefined ? undefined : parseDuration(text, `--${name}`);
  }

  /** Names given that nobody in `known` answers to. */
  unknown(known: ReadonlySet<string>): string[] {
    return [...this.values.keys()].filter((name) => !known.has(name));
  }
}

export function parseDuration(text: string, what: string): number {
  const ms = parseGoDuration(text);
  if (ms === undefined)
    throw new Error(`${what}: ${JSON.stringify(text)} is not a duration; write it like 1h30m or 45s`);
  return ms;
}
