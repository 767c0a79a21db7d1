import type { CelType } from '../check/type.ts';
import type { Overload } from '../library/declaration.ts';
import { isMap } from '../values/equality.ts';
import type { CelValue } from '../values/value.ts';
import {
  CelDuration,
  CelOptional,
  CelTimestamp,
  CelTypeValue,
  CelUint,
  isDouble,
  isInt,
  isPlainObject,
  OpaqueValue,
} from '../values/value.ts';

type Guard = (value: CelValue) => boolean;

const GUARDS: Partial<Record<CelType['kind'], Guard>> = {
  bool: (value) => typeof value === 'boolean',
  int: isInt,
  uint: (value) => value instanceof CelUint,
  double: isDouble,
  string: (value) => typeof value === 'string',
  bytes: (value) => value instanceof Uint8Array,
  null: (value) => value === null,
  timestamp: (value) => value instanceof CelTimestamp,
  duration: (value) => value instanceof CelDuration,
  list: (value) => Array.isArray(value),
  map: isMap,
  type: (value) => value instanceof CelTypeValue,
};

/** Whether a value may be passed as a parameter, decided at run time for arguments of unknown type. */
function guardFor(type: CelType): Guard | undefined {
  if (type.kind === 'opaque' || type.kind === 'struct') {
    if (type.name === 'optional_type') return (value) => value instanceof CelOptional;
    return (value) => (value instanceof OpaqueValue ? value.typeName === type.name : isPlainObject(value));
  }
  return GUARDS[type.kind];
}

const tables = new WeakMap<Overload, readonly (Guard | undefined)[]>();

export function guardsOf(overload: Overload): readonly (Guard | undefined)[] {
  let guards = tables.get(overload);
  if (!guards) tables.set(overload, (guards = overload.params.map(guardFor)));
  return guards;
}

/** The first overload that takes these values. */
export function pickOverload(overloads: readonly Overload[], args: readonly CelValue[]): Overload | undefined {
  return overloads.find((overload) => {
    const guards = guardsOf(overload);
    return guards.length === args.length && guards.every((guard, i) => !guard || guard(args[i]));
  });
}

/** Whether the checker left anything about the argument open. */
export function isUncertain(type: CelType): boolean {
  return type.kind === 'dyn' || type.kind === 'param' || type.kind === 'error' || (type.nullable ?? false);
}
