import { parseGoDuration } from '@hypershift-ts/kube-apimachinery';

/** What a flag's value is read as. */
export type FlagKind = 'string' | 'int' | 'bool' | 'duration' | 'list';

export interface FlagSpec {
  readonly kind: FlagKind;
  readonly default: string;
}

export class FlagError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FlagError';
  }
}

/** Flags of a Go program that were given or left at their defaults, each read as its kind when asked for. */
export class FlagValues {
  readonly #specs: Readonly<Record<string, FlagSpec>>;
  readonly #given: ReadonlyMap<string, string>;

  constructor(specs: Readonly<Record<string, FlagSpec>>, given: ReadonlyMap<string, string>) {
    this.#specs = specs;
    this.#given = given;
  }

  text(name: string): string {
    return this.#given.get(name) ?? this.#specs[name]?.default ?? '';
  }

  int(name: string): number {
    const text = this.text(name);
    if (!/^-?\d{1,9}$/.test(text)) throw new FlagError(`--${name}: "${text}" is not a number`);
    return Number(text);
  }

  port(name: string): number {
    const port = this.int(name);
    if (port < 0 || port > 65_535) throw new FlagError(`--${name}: ${port} is not a port`);
    return port;
  }

  bool(name: string): boolean {
    const text = this.text(name);
    if (/^(1|t|true)$/i.test(text)) return true;
    if (/^(0|f|false)$/i.test(text)) return false;
    throw new FlagError(`--${name}: "${text}" is neither true nor false`);
  }

  milliseconds(name: string): number {
    const ms = parseGoDuration(this.text(name));
    if (ms === undefined) throw new FlagError(`--${name}: "${this.text(name)}" is not a duration such as 30s`);
    return ms;
  }

  list(name: string): readonly string[] {
    return this.text(name)
      .split(',')
      .filter((item) => item !== '');
  }
}

/** Reads `--name=value`, `--name value` and bare `--name` for booleans, as pflag does. Unknown flags are an error. */
export function parseFlags(specs: Readonly<Record<string, FlagSpec>>, args: readonly string[]): FlagValues {
  const given = new Map<string, string>();
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] ?? '';
    const match = /^--?([a-z][a-z0-9-]*)(?:=(.*))?$/s.exec(arg);
    if (!match) throw new FlagError(`"${arg}" is not a flag`);
    const name = match[1] ?? '';
    const spec = Object.hasOwn(specs, name) ? specs[name] : undefined;
    // Logging flags of klog come with every such program and change nothing here.
    if (!spec && klogFlags.has(name)) {
      if (match[2] === undefined && !klogSwitches.has(name)) at++;
      continue;
    }
    if (!spec) throw new FlagError(`unknown flag: --${name}`);
    const inline = match[2] ?? (spec.kind === 'bool' ? 'true' : undefined);
    const value = inline ?? args[++at];
    if (value === undefined) throw new FlagError(`flag needs an argument: --${name}`);
    const before = given.get(name);
    given.set(name, spec.kind === 'list' && before !== undefined ? `${before},${value}` : value);
  }
  return new FlagValues(specs, given);
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));
const klogSwitches = words('logtostderr alsologtostderr add-dir-header skip-headers skip-log-headers one-output');
const klogFlags = new Set([
  ...klogSwitches,
  ...words('v vmodule stderrthreshold log-file log-file-max-size log-dir log-backtrace-at'),
]);

/** A table of specs from `name: default` lines of one kind. */
export function flagsOf(kind: FlagKind, defaults: Readonly<Record<string, string>>): Record<string, FlagSpec> {
  return Object.fromEntries(Object.entries(defaults).map(([name, value]) => [name, { kind, default: value }]));
}
