import type { ObjectShape, ScalarShape, Shape } from '../wire/shape.ts';

/** Where a field stands: names, `[]` for the first item of a list and `{}` for an entry of a map. */
export interface FieldPath {
  readonly text: string;
  readonly steps: readonly string[];
  readonly leaf: ScalarShape;
}

/** Every scalar at or below a shape. */
export function fieldPaths(shape: ObjectShape): readonly FieldPath[] {
  return [...below(shape, [])];
}

function* below(shape: Shape, steps: readonly string[]): Generator<FieldPath> {
  switch (shape.kind) {
    case 'object':
      for (const [name, field] of shape.fields) yield* below(field.shape, [...steps, name]);
      break;
    case 'list':
      yield* below(shape.items, [...steps, '[]']);
      break;
    case 'map':
      yield* below(shape.values, [...steps, '{}']);
      break;
    default:
      yield { text: steps.join('.').replaceAll('.[]', '[]').replaceAll('.{}', '{}'), steps, leaf: shape };
  }
}

type Container = { [key: string]: unknown };

const keyOf = (step: string): string => (step === '[]' ? '0' : step === '{}' ? 'census' : step);

/** A copy of `object` that says something at this place, making room for it where there is none. */
export function withField(object: object, { steps }: FieldPath, value: unknown): object {
  const copy = structuredClone(object) as Container;
  let at = copy;
  for (const [index, step] of steps.entries()) {
    const next = steps[index + 1];
    if (next === undefined) at[keyOf(step)] = value;
    else at = (at[keyOf(step)] ??= next === '[]' ? [] : {}) as Container;
  }
  return copy;
}

/** What stands at this place. */
export function fieldAt(object: unknown, { steps }: FieldPath): unknown {
  let at = object;
  for (const step of steps) at = (at as Container | undefined)?.[keyOf(step)];
  return at;
}
