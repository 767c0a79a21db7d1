import type { JsonObject, JsonValue } from '@hypershift-ts/kube-apimachinery';
import { isJsonObject, parseGoDuration } from '@hypershift-ts/kube-apimachinery';
import type { ConfigPath, ConfigProblem, Origins } from './source.ts';

/** Collects what is wrong with one configuration tree. */
export class Problems {
  readonly found: ConfigProblem[] = [];
  private readonly origins: Origins;
  private readonly root: unknown;
  private readonly file: string;

  constructor(origins: Origins, root: unknown, file: string) {
    this.origins = origins;
    this.root = root;
    this.file = file;
  }

  add(path: ConfigPath, message: string): void {
    this.found.push(this.origins.problem(this.root, path, message, this.file));
  }
}

/** Reads a map key by key. Keys nobody asked for are reported by `end`. */
export class MapReader {
  readonly path: ConfigPath;
  readonly problems: Problems;
  private readonly map: JsonObject;
  private readonly asked = new Set<string>();

  constructor(value: JsonValue | undefined, path: ConfigPath, problems: Problems) {
    this.path = path;
    this.problems = problems;
    if (value !== undefined && value !== null && !isJsonObject(value))
      problems.add(path, `a map is expected, not ${kindOf(value)}`);
    this.map = isJsonObject(value) ? value : {};
  }

  get keys(): readonly string[] {
    return Object.keys(this.map);
  }

  has(key: string): boolean {
    return this.raw(key) !== undefined;
  }

  /** The value as it is; null counts as absent. */
  raw(key: string): JsonValue | undefined {
    this.asked.add(key);
    const value = Object.hasOwn(this.map, key) ? this.map[key] : undefined;
    return value === null ? undefined : value;
  }

  /** Like `raw`, but an explicit null is told apart from nothing. */
  rawOrNull(key: string): JsonValue | undefined {
    this.asked.add(key);
    return Object.hasOwn(this.map, key) ? this.map[key] : undefined;
  }

  problem(key: string, message: string): void {
    this.problems.add([...this.path, key], message);
  }

  string(key: string): string | undefined {
    const value = this.raw(key);
    if (value === undefined || typeof value === 'string') return value;
    // A version or name that YAML takes for a number is meant as text.
    if (typeof value === 'number' || typeof value === 'boolean') return String(value);
    this.problem(key, `a text is expected, not ${kindOf(value)}`);
    return undefined;
  }

  required(key: string): string {
    const value = this.string(key);
    if (value === undefined || value === '') this.problem(key, 'is required');
    return value ?? '';
  }

  choice<T extends string>(key: string, choices: readonly T[]): T | undefined {
    const value = this.string(key);
    if (value === undefined || value === '') return undefined;
    if ((choices as readonly string[]).includes(value)) return value as T;
    this.problem(key, `${JSON.stringify(value)} is not one of ${choices.join(', ')}`);
    return undefined;
  }

  bool(key: string): boolean | undefined {
    const value = this.raw(key);
    if (value === undefined || typeof value === 'boolean') return value;
    this.problem(key, `true or false is expected, not ${kindOf(value)}`);
    return undefined;
  }

  integer(key: string, { min = 0, max = Number.MAX_SAFE_INTEGER } = {}): number | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    if (typeof value === 'number' && Number.isInteger(value) && value >= min && value <= max) return value;
    const most = max === Number.MAX_SAFE_INTEGER ? '' : ` and at most ${max}`;
    this.problem(key, `a whole number of at least ${min}${most} is expected`);
    return undefined;
  }

  /** A duration such as `10s`, kept as written. */
  duration(key: string): string | undefined {
    const value = this.raw(key);
    if (value === undefined) return undefined;
    const text = value === 0 ? '0s' : value;
    if (typeof text === 'string' && parseGoDuration(text) !== undefined) return text;
    this.problem(key, `a duration such as "10s" is expected, not ${JSON.stringify(value)}`);
    return undefined;
  }

  section(key: string): MapReader | undefined {
    const value = this.raw(key);
    return value === undefined ? undefined : new MapReader(value, [...this.path, key], this.problems);
  }

  list<T>(key: string, read: (item: JsonValue, path: ConfigPath) => T): readonly T[] {
    const value = this.raw(key);
    if (value === undefined) return [];
    if (!Array.isArray(value)) {
      this.problem(key, `a list is expected, not ${kindOf(value)}`);
      return [];
    }
    return (value as readonly JsonValue[]).map((item, i) => read(item, [...this.path, key, i]));
  }

  /** A list of maps. */
  maps<T>(key: string, read: (item: MapReader) => T): readonly T[] {
    return this.list(key, (item, path) => {
      const reader = new MapReader(item, path, this.problems);
      const value = read(reader);
      reader.end();
      return value;
    });
  }

  /** A map of texts. */
  texts(key: string): Readonly<Record<string, string>> | undefined {
    const reader = this.section(key);
    if (!reader) return undefined;
    return Object.fromEntries(reader.keys.map((name) => [name, reader.string(name) ?? '']));
  }

  /** Reports the keys that nothing has a meaning for. */
  end(): void {
    for (const key of this.keys) {
      if (this.asked.has(key)) continue;
      const near = nearest(key, this.asked);
      this.problem(key, `unknown key ${JSON.stringify(key)}${near ? `; did you mean ${JSON.stringify(near)}?` : ''}`);
    }
  }
}

function kindOf(value: JsonValue): string {
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'a map';
  return `the ${typeof value} ${JSON.stringify(value)}`;
}

/** The known key that differs by one or two letters. */
function nearest(key: string, known: ReadonlySet<string>): string | undefined {
  return [...known].find((other) => Math.abs(other.length - key.length) <= 2 && distance(key, other) <= 2);
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const change = a[i - 1] === b[j - 1] ? 0 : 1;
      next.push(Math.min(next[j - 1]! + 1, row[j]! + 1, row[j - 1]! + change));
    }
    row = next;
  }
  return row[b.length]!;
}

/** Leaves out what is undefined, so that a canonical form has only what was said. */
export function compact<T extends object>(value: T): T {
  return Object.fromEntries(Object.entries(value).filter(([, item]) => item !== undefined)) as T;
}
