import type { ObjectShape, Shape } from '../wire/shape.ts';
import type { Random } from './random.ts';

/**
 * How values at a path are made where not every value of the type will do: `placement.tenancy`, `disks[].type`.
 * Undefined leaves the field out.
 */
export type Hints = { readonly [path: string]: (random: Random) => unknown };

/** Any object of this shape that the hints allow. */
export function arbitrary(shape: ObjectShape, random: Random, hints: Hints, path = ''): { [field: string]: unknown } {
  const made: { [field: string]: unknown } = {};
  for (const [name, field] of shape.fields) {
    const at = path ? `${path}.${name}` : name;
    if (field.presence !== 'always' && random.boolean()) continue;
    const value = hints[at] ? hints[at](random) : arbitraryValue(field.shape, random, hints, at);
    if (value !== undefined) made[name] = value;
  }
  return made;
}

function arbitraryValue(shape: Shape, random: Random, hints: Hints, path: string): unknown {
  switch (shape.kind) {
    case 'text':
      return random.word();
    case 'number':
    case 'numberOrText':
      return 1 + random.below(1000);
    case 'boolean':
      return random.boolean();
    case 'raw':
      return { [random.word()]: random.word() };
    case 'list': {
      const at = `${path}[]`;
      return random.some(() => (hints[at] ? hints[at](random) : arbitraryValue(shape.items, random, hints, at)));
    }
    case 'map':
      return Object.fromEntries(
        random.some(() => [random.word(), arbitraryValue(shape.values, random, hints, `${path}{}`)] as const),
      );
    case 'object':
      return arbitrary(shape, random, hints, path);
    default:
      return shape satisfies never;
  }
}
