import type { JsonObject, LocatedYaml } from '@hypershift-ts/kube-apimachinery';
import { DecodeError, decodeLocatedYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';

export type ConfigPath = readonly (string | number)[];

/** One thing that is wrong with a configuration, and where. */
export interface ConfigProblem {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  /** `resources[0].discovery` */
  readonly path: string;
  readonly message: string;
}

const mostShown = 30;

/** A configuration that cannot be used; the message lists everything that is wrong with it. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';
  readonly problems: readonly ConfigProblem[];

  constructor(problems: readonly ConfigProblem[]) {
    const lines = problems.slice(0, mostShown).map(problemText);
    if (problems.length > mostShown) lines.push(`and ${problems.length - mostShown} more`);
    super(
      lines.length === 1 ? lines[0] : `the configuration has ${problems.length} problems:\n  ${lines.join('\n  ')}`,
    );
    this.problems = problems;
  }
}

function problemText({ file, line, column, path, message }: ConfigProblem): string {
  const place = line === undefined ? file : `${file}:${line}:${column}`;
  return path === '' ? `${place}: ${message}` : `${place}: ${path}: ${message}`;
}

export function pathText(path: ConfigPath): string {
  return path.reduce<string>(
    (text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
    '',
  );
}

interface Origin {
  readonly source: ConfigSource;
  readonly path: ConfigPath;
  /** Keys that were spelled differently in the file. */
  readonly spelled: ReadonlyMap<string, string>;
}

/** A file that was read, which remembers where each of its objects and lists stands. */
export class ConfigSource {
  readonly file: string;
  readonly root: JsonObject;
  private readonly located: LocatedYaml;

  /** Throws `ConfigError` when the text is not YAML, repeats a key, or is no map. */
  constructor(file: string, text: string, origins: Origins) {
    this.file = file;
    try {
      this.located = decodeLocatedYaml(text, { findDuplicates: true, plainBooleans: true });
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      throw new ConfigError([{ file, path: '', message: error.message }]);
    }
    const { value, strictErrors } = this.located;
    if (strictErrors.length > 0) throw new ConfigError([{ file, path: '', message: strictErrors.join('; ') }]);
    if (value !== null && !isJsonObject(value))
      throw new ConfigError([{ file, path: '', message: 'a map of settings is expected' }]);
    this.root = value ?? {};
    origins.index(this, this.root, []);
  }

  locate(path: ConfigPath): { readonly line: number; readonly column: number } {
    return this.located.locate(path);
  }
}

/** Where the parts of a rewritten configuration come from, so that problems name the lines people wrote. */
export class Origins {
  private readonly table = new WeakMap<object, Origin>();

  index(source: ConfigSource, value: unknown, path: ConfigPath): void {
    if (typeof value !== 'object' || value === null) return;
    this.table.set(value, { source, path, spelled: new Map() });
    const entries = Array.isArray(value) ? value.entries() : Object.entries(value);
    for (const [key, child] of entries) this.index(source, child, [...path, key]);
  }

  /** `next` stands where `previous` stood; `spelled` maps new keys to those in the file. */
  carry<T extends object>(next: T, previous: object, spelled: ReadonlyMap<string, string> = new Map()): T {
    const origin = this.table.get(previous);
    if (origin) this.table.set(next, { ...origin, spelled: new Map([...origin.spelled, ...spelled]) });
    return next;
  }

  /** The problem at a path of a rewritten configuration. */
  problem(root: unknown, path: ConfigPath, message: string, file: string): ConfigProblem {
    let value: unknown = root;
    let known: { readonly source: ConfigSource; readonly path: ConfigPath } | undefined;
    for (let i = 0; i <= path.length; i++) {
      if (typeof value !== 'object' || value === null) break;
      const origin = this.table.get(value);
      const rest = path.slice(i);
      const [next] = rest;
      if (origin) {
        const step = typeof next === 'string' ? (origin.spelled.get(next) ?? next) : next;
        known = { source: origin.source, path: step === undefined ? origin.path : [...origin.path, step] };
      }
      value = next === undefined ? undefined : (value as Record<string | number, unknown>)[next];
    }
    const text = pathText(path);
    if (!known) return { file, path: text, message };
    const { line, column } = known.source.locate(known.path);
    return { file: known.source.file, line, column, path: text, message };
  }
}
