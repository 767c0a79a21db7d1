import type { CelType } from '../check/type.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  DYN,
  INT,
  listType,
  paramType,
  STRING,
  TIMESTAMP,
  UINT,
} from '../check/type.ts';
import { CostExceeded, fail, noSuchOverload } from '../errors.ts';
import { sortByMacro } from '../syntax/standard-macros.ts';
import { addInt, doubleArithmetic, uintArithmetic } from '../values/arithmetic.ts';
import { celEqual, compareBytes, compareNumbers, compareStrings } from '../values/equality.ts';
import { duration } from '../values/time.ts';
import type { CelValue } from '../values/value.ts';
import { CelDouble, CelDuration, CelTimestamp, CelUint } from '../values/value.ts';
import { inList } from './operators.ts';
import type { FunctionDeclaration, Library } from './declaration.ts';
import { declare, global, member } from './declaration.ts';

type List = readonly CelValue[];

const A = paramType('A');
const LIST_A = listType(A);

const COMPARABLE: readonly [string, CelType][] = [
  ['int', INT],
  ['uint', UINT],
  ['double', DOUBLE],
  ['bool', BOOL],
  ['duration', DURATION],
  ['timestamp', TIMESTAMP],
  ['string', STRING],
  ['bytes', BYTES],
];

/** Order of two values of one comparable type. */
function compareValues(a: CelValue, b: CelValue): number {
  if (typeof a === 'string' && typeof b === 'string') return compareStrings(a, b);
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b);
  if (a instanceof Uint8Array && b instanceof Uint8Array) return compareBytes(a, b);
  if (
    (a instanceof CelDuration && b instanceof CelDuration) ||
    (a instanceof CelTimestamp && b instanceof CelTimestamp)
  ) {
    return a.nanos < b.nanos ? -1 : a.nanos > b.nanos ? 1 : 0;
  }
  return compareNumbers(a, b) ?? noSuchOverload();
}

function isSorted(list: List): boolean {
  for (let i = 1; i < list.length; i++) if (compareValues(list[i - 1], list[i]) > 0) return false;
  return true;
}

function extreme(name: string, sign: 1 | -1): (list: List) => CelValue {
  return (list) => {
    if (list.length === 0) return fail(`${name} called on empty list`);
    return list.reduce((best, item) => (compareValues(item, best) * sign > 0 ? item : best));
  };
}

const SUMS: readonly [string, CelType, CelValue, (a: never, b: never) => CelValue][] = [
  ['int', INT, 0, addInt],
  ['uint', UINT, new CelUint(0n), uintArithmetic.add],
  ['double', DOUBLE, new CelDouble(0), doubleArithmetic.add],
  ['duration', DURATION, new CelDuration(0n), (a: CelDuration, b: CelDuration) => duration(a.nanos + b.nanos)],
];

function perType(
  name: string,
  id: (type: string) => string,
  result: CelType | undefined,
  run: (list: List) => CelValue,
): FunctionDeclaration {
  return declare(
    name,
    ...COMPARABLE.map(([type, element]) => member(id(type), [listType(element)], result ?? element, run)),
  );
}

/** Kubernetes' own list functions. */
export const listLibrary: Library = {
  functions: [
    perType('isSorted', (type) => `list_${type}_is_sorted_bool`, BOOL, isSorted),
    perType('max', (type) => `list_${type}_max_${type}`, undefined, extreme('max', 1)),
    perType('min', (type) => `list_${type}_min_${type}`, undefined, extreme('min', -1)),
    declare(
      'sum',
      ...SUMS.map(([type, element, zero, add]) =>
        member(`list_${type}_sum_${type}`, [listType(element)], element, (list: List) =>
          list.reduce((total, item) => add(total as never, item as never), zero),
        ),
      ),
    ),
    declare(
      'indexOf',
      member('list_a_index_of_int', [LIST_A, A], INT, (list: List, item) =>
        list.findIndex((each) => celEqual(each, item)),
      ),
    ),
    declare(
      'lastIndexOf',
      member('list_a_last_index_of_int', [LIST_A, A], INT, (list: List, item) =>
        list.findLastIndex((each) => celEqual(each, item)),
      ),
    ),
  ],
};

export const listIncludes: Library = {
  functions: [
    declare(
      'includes',
      member('list_includes_dyn_dyn', [DYN, DYN], BOOL, (target, item) =>
        Array.isArray(target) ? inList(item, target) : celEqual(target, item),
      ),
    ),
  ],
};

const LIST_T = listType(paramType('T'));

/** Set operations on lists. */
export const setLibrary: Library = {
  functions: [
    declare('sets.contains', global('list_sets_contains_list', [LIST_T, LIST_T], BOOL, contains)),
    declare(
      'sets.equivalent',
      global(
        'list_sets_equivalent_list',
        [LIST_T, LIST_T],
        BOOL,
        (a: List, b: List) => contains(a, b) && contains(b, a),
      ),
    ),
    declare(
      'sets.intersects',
      global('list_sets_intersects_list', [LIST_T, LIST_T], BOOL, (a: List, b: List) =>
        b.some((item) => inList(item, a)),
      ),
    ),
  ],
};

function contains(list: List, part: List): boolean {
  return part.every((item) => inList(item, list));
}

const MAX_RANGE = 10_000_000;

function range(size: number | bigint): List {
  if (Number(size) > MAX_RANGE) throw new CostExceeded();
  return Array.from({ length: Math.max(0, Number(size)) }, (_item, i) => i);
}

function slice(list: List, start: number | bigint, end: number | bigint): List {
  const what = `cannot slice(${start}, ${end})`;
  if (Number(start) < 0 || Number(end) < 0) fail(`${what}, negative indexes not supported`);
  if (Number(start) > Number(end)) fail(`${what}, start index must be less than or equal to end index`);
  if (list.length < Number(end)) fail(`${what}, list is length ${list.length}`);
  return list.slice(Number(start), Number(end));
}

function flatten(list: List, depth: number | bigint = 1): List {
  if (Number(depth) < 0) fail('level must be non-negative');
  return list.flat(Number(depth));
}

function distinct(list: List): List {
  const result: CelValue[] = [];
  for (const item of list) if (!inList(item, result)) result.push(item);
  return result;
}

function sortByKeys(list: List, keys: List): List {
  if (list.length !== keys.length)
    fail(
      `@sortByAssociatedKeys() expected a list of the same size as the associated keys list, but got ${list.length} and ${keys.length} elements respectively`,
    );
  const order = keys.map((_key, i) => i).sort((x, y) => compareValues(keys[x], keys[y]));
  return order.map((i) => list[i]);
}

/** cel-go's list extension, version 3. */
export const listExtension: Library = {
  macros: [sortByMacro],
  functions: [
    declare('slice', member('list_slice', [LIST_T, INT, INT], LIST_T, slice)),
    declare(
      'flatten',
      member('list_flatten', [listType(LIST_T)], LIST_T, flatten),
      member('list_flatten_int', [listType(DYN), INT], listType(DYN), flatten),
    ),
    declare(
      'sort',
      ...COMPARABLE.map(([type, element]) =>
        member(`list_${type}_sort`, [listType(element)], listType(element), (list: List) =>
          list.toSorted(compareValues),
        ),
      ),
    ),
    declare(
      '@sortByAssociatedKeys',
      ...COMPARABLE.map(([type, element]) =>
        member(`list_${type}_sortByAssociatedKeys`, [LIST_T, listType(element)], LIST_T, sortByKeys),
      ),
    ),
    declare('lists.range', global('lists_range', [INT], listType(INT), range)),
    declare(
      'reverse',
      member('list_reverse', [LIST_T], LIST_T, (list: List) => list.toReversed()),
    ),
    declare('distinct', member('list_distinct', [LIST_T], LIST_T, distinct)),
  ],
};
