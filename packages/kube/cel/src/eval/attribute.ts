import type { CelType } from '../check/type.ts';
import { isOptional } from '../check/type.ts';
import { fail } from '../errors.ts';
import { mapGet } from '../values/equality.ts';
import { formatDouble } from '../values/number-text.ts';
import type { CelValue } from '../values/value.ts';
import { CelDouble, CelMap, CelOptional, CelUint, isInt, isPlainObject } from '../values/value.ts';
import type { Coerce } from './coerce.ts';
import { coercerFor } from './coerce.ts';

/** Reads a field, key or index; undefined when it is not there. */
export type Lookup = (container: CelValue, key: CelValue) => CelValue;

const INHERITED = new Set(Object.getOwnPropertyNames(Object.prototype));

/** A constant field of a value of a known type. `undefined` means absent. */
export function fieldReader(type: CelType, field: string): (container: CelValue) => CelValue {
  if (type.kind === 'struct') {
    const declared = type.fields?.get(field);
    if (declared) return structReader(declared.key, coercerFor(declared.type));
  }
  if (type.kind === 'map') {
    const coerce = coercerFor(type.params[1]!);
    return (container) => {
      const value = mapGet(container, field);
      return value === undefined || coerce === undefined ? value : coerce(value);
    };
  }
  return (container) => dynamicField(container, field);
}

/** In objects with declared fields a null is as good as absent. */
function structReader(key: string, coerce: Coerce | undefined): (container: CelValue) => CelValue {
  const risky = INHERITED.has(key);
  return (container) => {
    if (container === null || container === undefined) return undefined;
    if (risky && !Object.hasOwn(container as object, key)) return undefined;
    const value = (container as Record<string, CelValue>)[key];
    if (value === undefined || value === null) return undefined;
    return coerce ? coerce(value) : value;
  };
}

function dynamicField(container: CelValue, field: string): CelValue {
  if (Array.isArray(container)) fail(`unsupported index type 'string' in list`);
  return isPlainObject(container) || container instanceof CelMap ? mapGet(container, field) : undefined;
}

/** `container[key]` for a container of a known type. */
export function indexReader(type: CelType): Lookup {
  const inner = isOptional(type) ? type.params[0]! : type;
  if (inner.kind === 'list') return withCoercion(listItem, coercerFor(inner.params[0]!));
  if (inner.kind === 'map') return withCoercion(mapValue, coercerFor(inner.params[1]!));
  return (container, key) => {
    if (Array.isArray(container)) return listItem(container, key);
    return isPlainObject(container) || container instanceof CelMap ? mapValue(container, key) : undefined;
  };
}

function withCoercion(read: Lookup, coerce: Coerce | undefined): Lookup {
  if (!coerce) return read;
  return (container, key) => {
    const value = read(container, key);
    return value === undefined ? undefined : coerce(value);
  };
}

function listItem(container: CelValue, key: CelValue): CelValue {
  if (typeof key === 'number' && Number.isInteger(key)) return (container as readonly CelValue[])[key];
  const index = indexNumber(key);
  return index === undefined ? undefined : (container as readonly CelValue[])[index];
}

/** Lists may be indexed by a uint or double that stands for a whole number. */
function indexNumber(key: CelValue): number | undefined {
  if (isInt(key)) return Number(key);
  if (key instanceof CelUint) return Number(key.value);
  if (key instanceof CelDouble) return key.value;
  if (typeof key === 'number') return fail(`unsupported index value ${formatDouble(key)} in list`);
  return fail(`unsupported index type '${typeof key}' in list`);
}

function mapValue(container: CelValue, key: CelValue): CelValue {
  return mapGet(container, key);
}

/** The error for an index that is not there. */
export function missing(container: CelValue, key: CelValue): never {
  if (Array.isArray(container)) return fail(`index out of bounds: ${keyText(key)}`);
  return fail(`no such key: ${keyText(key)}`);
}

export function keyText(key: CelValue): string {
  if (key instanceof CelUint) return String(key.value);
  if (key instanceof CelDouble) return formatDouble(key.value);
  return String(key);
}

/** Reads through an optional: absent stays absent, present is wrapped again. */
export function throughOptional(read: (container: CelValue) => CelValue): (value: CelValue) => CelValue {
  return (value) => {
    const inner = value instanceof CelOptional ? (value.present ? read(value.value) : undefined) : read(value);
    return inner === undefined ? CelOptional.none : CelOptional.of(inner);
  };
}
