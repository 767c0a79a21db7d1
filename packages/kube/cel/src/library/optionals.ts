import { BOOL, DYN, INT, listType, mapType, optionalType, paramType, STRING } from '../check/type.ts';
import { fail } from '../errors.ts';
import { Operator } from '../syntax/ast.ts';
import { optionalMacros } from '../syntax/standard-macros.ts';
import type { CelValue } from '../values/value.ts';
import { CelDouble, CelDuration, CelMap, CelOptional, CelTimestamp, CelUint, isPlainObject } from '../values/value.ts';
import type { Library } from './declaration.ts';
import { declare, global, member } from './declaration.ts';

const V = paramType('V');
const K = paramType('K');
const OPTIONAL = optionalType(V);
const LIST = listType(V);
const MAP = mapType(K, V);
const LIST_OF_OPTIONALS = listType(OPTIONAL);

function compiled(): never {
  throw new Error('this operator is compiled, not called');
}

/** The zero value of its type: empty, 0, false or null. */
function isZero(value: CelValue): boolean {
  if (value === null || value === false || value === '' || value === 0) return true;
  if (Array.isArray(value) || value instanceof Uint8Array) return value.length === 0;
  if (value instanceof CelDouble) return value.value === 0;
  if (value instanceof CelUint) return value.value === 0n;
  if (value instanceof CelDuration) return value.nanos === 0n;
  if (value instanceof CelTimestamp) return value.nanos === -62_135_596_800_000_000_000n;
  if (value instanceof CelMap) return value.size === 0;
  if (value instanceof CelOptional) return !value.present;
  return isPlainObject(value) && Object.keys(value).length === 0;
}

function unwrap(list: readonly CelValue[]): CelValue {
  return list.flatMap((item) => {
    if (!(item instanceof CelOptional)) return fail('value is not optional');
    return item.present ? [item.value] : [];
  });
}

function firstOr(value: CelValue): CelValue {
  return value === undefined ? CelOptional.none : CelOptional.of(value);
}

/** Optional values and their syntax. */
export const optionals: Library = {
  macros: optionalMacros,
  types: [OPTIONAL],
  functions: [
    declare(
      'optional.of',
      global('optional_of', [V], OPTIONAL, (value) => CelOptional.of(value)),
    ),
    declare(
      'optional.ofNonZeroValue',
      global('optional_ofNonZeroValue', [V], OPTIONAL, (value) =>
        isZero(value) ? CelOptional.none : CelOptional.of(value),
      ),
    ),
    declare(
      'optional.none',
      global('optional_none', [], OPTIONAL, () => CelOptional.none),
    ),
    declare(
      'value',
      member('optional_value', [OPTIONAL], V, (held: CelOptional) =>
        held.present ? held.value : fail('optional.none() dereference'),
      ),
    ),
    declare(
      'hasValue',
      member('optional_hasValue', [OPTIONAL], BOOL, (held: CelOptional) => held.present),
    ),
    declare(
      'or',
      member('optional_or_optional', [OPTIONAL, OPTIONAL], OPTIONAL, (a: CelOptional, b: CelOptional) =>
        a.present ? a : b,
      ),
    ),
    declare(
      'orValue',
      member('optional_orValue_value', [OPTIONAL, V], V, (held: CelOptional, other) =>
        held.present ? held.value : other,
      ),
    ),
    declare(
      'first',
      member('list_first', [LIST], OPTIONAL, (list: readonly CelValue[]) => firstOr(list[0])),
    ),
    declare(
      'last',
      member('list_last', [LIST], OPTIONAL, (list: readonly CelValue[]) => firstOr(list.at(-1))),
    ),
    declare('optional.unwrap', global('optional_unwrap', [LIST_OF_OPTIONALS], LIST, unwrap)),
    declare('unwrapOpt', member('optional_unwrapOpt', [LIST_OF_OPTIONALS], LIST, unwrap)),
    declare(Operator.optSelect, global('select_optional_field', [DYN, STRING], OPTIONAL, compiled)),
    declare(
      Operator.optIndex,
      global('list_optindex_optional_int', [LIST, INT], OPTIONAL, compiled),
      global('optional_list_optindex_optional_int', [optionalType(LIST), INT], OPTIONAL, compiled),
      global('map_optindex_optional_value', [MAP, K], OPTIONAL, compiled),
      global('optional_map_optindex_optional_value', [optionalType(MAP), K], OPTIONAL, compiled),
    ),
  ],
};
