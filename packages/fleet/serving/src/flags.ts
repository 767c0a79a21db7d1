/** Flags of a command line: `--name value`, `--name=value`, and `--name` alone for switches. */
export interface Flags {
  /** The value of a flag that was given. */
  value(name: string): string | undefined;
  has(name: string): boolean;
}

export interface FlagNames {
  /** Flags that take a value. */
  readonly values: readonly string[];
  readonly switches?: readonly string[];
  /** Short forms, e.g. `c: 'config'`. */
  readonly short?: Readonly<Record<string, string>>;
}

/** Reads the arguments of a command; throws with the flag that nobody knows or that lacks its value. */
export function readFlags(args: readonly string[], { values, switches = [], short = {} }: FlagNames): Flags {
  const given = new Map<string, string>();
  for (let i = 0; i < args.length; i++) {
    const [, dashes = '', written = '', , inline] = /^(--?)([^=]+)(=(.*))?$/s.exec(args[i]!) ?? [];
    const name = dashes === '-' ? (short[written] ?? '') : written;
    if (switches.includes(name)) given.set(name, inline ?? 'true');
    else if (values.includes(name)) {
      const value = inline ?? args[++i];
      if (value === undefined) throw new Error(`--${name} needs a value`);
      given.set(name, value);
    } else throw new Error(`unknown argument ${args[i]}`);
  }
  return {
    value: (name) => given.get(name),
    has: (name) => given.has(name) && given.get(name) !== 'false',
  };
}
