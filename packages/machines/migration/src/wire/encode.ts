import { deepFreeze, isJsonObject, jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { Field, ObjectShape, Shape } from './shape.ts';

/** The value as it is written on the wire: known fields only, in their order, empty ones left out. */
export function encode<T>(shape: ObjectShape<T>, value: T): T {
  return encodeObject(shape, value) as T;
}

function encodeObject({ fields }: ObjectShape, value: unknown): { [name: string]: unknown } {
  const written: { [name: string]: unknown } = {};
  const given = isJsonObject(value) ? value : {};
  for (const [name, field] of fields) {
    const encoded = encodeField(field, given[name]);
    if (encoded !== undefined) written[name] = encoded;
  }
  return written;
}

function encodeField({ presence, shape }: Field, value: unknown): unknown {
  const encoded = value === undefined || value === null ? undefined : encodeValue(shape, value);
  if (presence === 'pointer') return encoded;
  if (presence === 'always') return encoded ?? zeroOf(shape);
  return encoded === undefined || jsonEqual(encoded, zeroOf(shape)) ? undefined : encoded;
}

function encodeValue(shape: Shape, value: unknown): unknown {
  switch (shape.kind) {
    case 'list':
      return (value as readonly unknown[]).map((item) => encodeValue(shape.items, item));
    case 'map':
      return Object.fromEntries(
        Object.entries(value as object)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .map(([key, item]) => [key, encodeValue(shape.values, item)]),
      );
    case 'object':
      return encodeObject(shape, value);
    default:
      return value;
  }
}

const zeros = new WeakMap<Shape, unknown>();

/** What a field holds that nobody has set. The value is shared. */
export function zeroOf(shape: Shape): unknown {
  if (!zeros.has(shape)) zeros.set(shape, deepFreeze(newZero(shape)));
  return zeros.get(shape);
}

function newZero(shape: Shape): unknown {
  switch (shape.kind) {
    case 'text':
      return '';
    case 'number':
    case 'numberOrText':
      return 0;
    case 'boolean':
      return false;
    case 'list':
      return [];
    case 'map':
      return {};
    case 'object':
      return encodeObject(shape, {});
    case 'raw':
      return undefined;
    default:
      return shape satisfies never;
  }
}
