import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** Which parts of an object differ from its copy, as paths within them. */
export interface Changes {
  readonly metadata: readonly string[];
  readonly spec: readonly string[];
  readonly providerSpec: readonly string[];
  readonly status: readonly string[];
}

export type Part = keyof Changes;

export function hasChanges(changes: Changes, ...parts: readonly Part[]): boolean {
  return (parts.length > 0 ? parts : (Object.keys(changes) as Part[])).some((part) => changes[part].length > 0);
}

/** The paths at which two JSON values differ; a missing field equals an undefined one. */
export function differingPaths(before: unknown, after: unknown): readonly string[] {
  return [...walk('', before, after)];
}

function* walk(path: string, before: unknown, after: unknown): Generator<string> {
  if (Object.is(before, after)) return;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)]))
      yield* walk(path ? `${path}.${key}` : key, before[key], after[key]);
  } else if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) yield* walk(`${path}[${index}]`, item, after[index]);
  } else yield path;
}
