import { UserError } from './cli-error.ts';

/** `key=value` pairs as a map; a value may hold further equal signs. */
export function keyValues(items: readonly string[], flag: string): { readonly [key: string]: string } {
  return Object.fromEntries(
    items.map((item) => {
      const at = item.indexOf('=');
      if (at <= 0) throw new UserError(`--${flag} ${item}: expected key=value`, `Write it as --${flag} key=value.`);
      return [item.slice(0, at), item.slice(at + 1)];
    }),
  );
}

/** The map, or nothing at all when there are no pairs. */
export function someKeyValues<K extends string>(field: K, items: readonly string[], flag: string) {
  return (items.length > 0 ? { [field]: keyValues(items, flag) } : {}) as {
    readonly [k in K]?: { readonly [key: string]: string };
  };
}
