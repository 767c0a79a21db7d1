import { type FieldError, fieldError, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { zeroOf } from './encode.ts';
import type { ObjectShape, Shape } from './shape.ts';

interface Reading {
  readonly errors: FieldError[];
  readonly unknownFields: 'drop' | 'refuse';
}

/**
 * Reads what somebody wrote: nulls are dropped, values of the wrong type are reported and dropped. An absent value is
 * an empty one, and fields that are always there are. Unknown fields are dropped, or reported where losing them would go unseen.
 */
export function decode<T>(
  shape: ObjectShape<T>,
  value: unknown,
  path: string,
  unknownFields: 'drop' | 'refuse' = 'drop',
): { value: T; errors: FieldError[] } {
  const reading: Reading = { errors: [], unknownFields };
  return { value: (decodeValue(shape, value ?? {}, path, reading) ?? {}) as T, errors: reading.errors };
}

function decodeValue(shape: Shape, value: unknown, path: string, reading: Reading): unknown {
  const wrong = (wanted: string): undefined => {
    reading.errors.push(fieldError.typeInvalid(path, value, `must be ${wanted}`));
    return undefined;
  };
  switch (shape.kind) {
    case 'text':
      return typeof value === 'string' ? value : wrong('a string');
    case 'number':
      return typeof value === 'number' ? value : wrong('a number');
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong('true or false');
    case 'numberOrText':
      return typeof value === 'number' || typeof value === 'string' ? value : wrong('a number or a string');
    case 'raw':
      return value;
    case 'list':
      return Array.isArray(value)
        ? value.map((item, index) => decodeValue(shape.items, item, `${path}[${index}]`, reading))
        : wrong('a list');
    case 'map':
      return isJsonObject(value)
        ? Object.fromEntries(
            Object.entries(value)
              .filter(([, item]) => item !== null && item !== undefined)
              .map(([key, item]) => [key, decodeValue(shape.values, item, `${path}[${key}]`, reading)]),
          )
        : wrong('an object');
    case 'object':
      return isJsonObject(value) ? decodeObject(shape, value, path, reading) : wrong('an object');
    default:
      return shape satisfies never;
  }
}

function decodeObject(
  { fields }: ObjectShape,
  value: { readonly [name: string]: unknown },
  path: string,
  reading: Reading,
): object {
  const read: { [name: string]: unknown } = {};
  for (const [name, { shape, presence }] of fields) {
    const given = Object.hasOwn(value, name) ? value[name] : undefined;
    const decoded =
      given === undefined || given === null ? undefined : decodeValue(shape, given, `${path}.${name}`, reading);
    if (decoded !== undefined) read[name] = decoded;
    else if (presence === 'always') read[name] = zeroOf(shape);
  }
  if (reading.unknownFields === 'refuse')
    for (const [name, given] of Object.entries(value))
      if (!fields.has(name) && given !== null && given !== undefined)
        reading.errors.push(fieldError.invalid(`${path}.${name}`, given, `${name} is not supported`));
  return read;
}
