import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** Derived anew by each side: columns for people, conditions, and what a provider reports. */
const derived: ReadonlySet<string> = new Set([
  ...['instance-type', 'region', 'zone', 'instance-state'].map((name) => `machine.openshift.io/${name}`),
  'conditions',
  'providerStatus',
  'initialization',
  'finalizers',
]);

/** Objects of which nobody writes an empty one. */
const leftOutWhenEmpty: ReadonlySet<string> = new Set(['labels', 'annotations', 'metadata', 'v1beta1', 'deprecated']);

function comparable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(comparable);
  if (!isJsonObject(value)) return value;
  const kept = Object.entries(value)
    .filter(([key, part]) => part !== undefined && !derived.has(key))
    .map(([key, part]) => [key, comparable(part)] as const)
    .filter(([key, part]) => !(leftOutWhenEmpty.has(key) && Object.keys(part as object).length === 0));
  return Object.fromEntries(kept);
}

/** Where two values first differ and how, as one line; undefined when they say the same. */
export function difference(path: string, before: unknown, after: unknown): string | undefined {
  return firstDifference(path, comparable(before ?? {}), comparable(after ?? {}));
}

function firstDifference(path: string, before: unknown, after: unknown): string | undefined {
  if (Object.is(before, after)) return undefined;
  if (isJsonObject(before) && isJsonObject(after)) {
    for (const key of new Set([...Object.keys(before), ...Object.keys(after)])) {
      const found = firstDifference(`${path}.${key}`, before[key], after[key]);
      if (found) return found;
    }
    return undefined;
  }
  if (Array.isArray(before) && Array.isArray(after) && before.length === after.length) {
    for (const [index, item] of before.entries()) {
      const found = firstDifference(`${path}[${index}]`, item, after[index]);
      if (found) return found;
    }
    return undefined;
  }
  return `${path}: was ${JSON.stringify(before)}, came back as ${JSON.stringify(after)}`;
}
