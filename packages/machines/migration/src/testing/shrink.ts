import { isJsonObject } from '@hypershift-ts/kube-apimachinery';

/** The smallest part of a value that still fails: fields and items are taken away as long as it does. */
export function shrink<T>(value: T, fails: (value: T) => boolean): T {
  for (const smaller of smallerThan(value)) if (fails(smaller as T)) return shrink(smaller as T, fails);
  return value;
}

function* smallerThan(value: unknown): Generator {
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield value.toSpliced(index, 1);
      for (const smaller of smallerThan(item)) yield value.with(index, smaller);
    }
  } else if (isJsonObject(value)) {
    for (const [key, part] of Object.entries(value)) {
      const { [key]: _, ...rest } = value;
      yield rest;
      for (const smaller of smallerThan(part)) yield { ...value, [key]: smaller };
    }
  }
}
