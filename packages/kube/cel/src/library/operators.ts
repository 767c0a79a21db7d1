import type { CelType } from '../check/type.ts';
import {
  BOOL,
  BYTES,
  DOUBLE,
  DURATION,
  INT,
  listType,
  mapType,
  optionalType,
  paramType,
  STRING,
  TIMESTAMP,
  UINT,
} from '../check/type.ts';
import { fail } from '../errors.ts';
import { Operator } from '../syntax/ast.ts';
import * as math from '../values/arithmetic.ts';
import { celEqual, compareBytes, compareNumbers, compareStrings, mapGet } from '../values/equality.ts';
import { duration, timestamp } from '../values/time.ts';
import type { CelDuration, CelTimestamp, CelValue } from '../values/value.ts';
import type { FunctionDeclaration, Overload } from './declaration.ts';
import { declare, global } from './declaration.ts';

const A = paramType('A');
const B = paramType('B');
const LIST_A = listType(A);
const MAP_AB = mapType(A, B);

/** The evaluator compiles these forms itself; the declarations only serve the checker. */
function compiled(): never {
  throw new Error('this operator is compiled, not called');
}

type Order = (a: CelValue, b: CelValue) => number;
const order: Record<string, Order> = {
  bool: (a, b) => Number(a) - Number(b),
  number: (a, b) => compareNumbers(a, b) ?? fail('NaN values cannot be ordered'),
  string: (a, b) => compareStrings(a as string, b as string),
  bytes: (a, b) => compareBytes(a as Uint8Array, b as Uint8Array),
  span: (a, b) => {
    const x = (a as CelTimestamp | CelDuration).nanos;
    const y = (b as CelTimestamp | CelDuration).nanos;
    return x < y ? -1 : x > y ? 1 : 0;
  },
};

/** Left type, right type, name part of the overload id, how to compare, whether it needs cross-type comparison. */
const COMPARABLE: readonly [CelType, CelType, string, Order, boolean][] = [
  [BOOL, BOOL, 'bool', order.bool!, false],
  [INT, INT, 'int64', order.number!, false],
  [INT, DOUBLE, 'int64_double', order.number!, true],
  [INT, UINT, 'int64_uint64', order.number!, true],
  [UINT, UINT, 'uint64', order.number!, false],
  [UINT, DOUBLE, 'uint64_double', order.number!, true],
  [UINT, INT, 'uint64_int64', order.number!, true],
  [DOUBLE, DOUBLE, 'double', order.number!, false],
  [DOUBLE, INT, 'double_int64', order.number!, true],
  [DOUBLE, UINT, 'double_uint64', order.number!, true],
  [STRING, STRING, 'string', order.string!, false],
  [BYTES, BYTES, 'bytes', order.bytes!, false],
  [TIMESTAMP, TIMESTAMP, 'timestamp', order.span!, false],
  [DURATION, DURATION, 'duration', order.span!, false],
];

function comparison(
  name: string,
  prefix: string,
  holds: (sign: number) => boolean,
  crossType: boolean,
): FunctionDeclaration {
  const overloads = COMPARABLE.filter(([, , , , cross]) => crossType || !cross).map(([left, right, suffix, compare]) =>
    global(`${prefix}_${suffix}`, [left, right], BOOL, (a, b) => holds(compare(a, b))),
  );
  return declare(name, ...overloads);
}

function same(id: string, type: CelType, run: (a: never, b: never) => CelValue): Overload {
  return global(id, [type, type], type, run);
}

function concat(a: readonly CelValue[], b: readonly CelValue[]): readonly CelValue[] {
  return a.concat(b);
}

export function inList(value: CelValue, list: readonly CelValue[]): boolean {
  for (const item of list) if (celEqual(value, item)) return true;
  return false;
}

function timeBetween(a: CelTimestamp, b: CelTimestamp): CelValue {
  const nanos = a.nanos - b.nanos;
  return BigInt.asIntN(64, nanos) === nanos ? duration(nanos) : fail('integer overflow');
}

function arithmetic(): FunctionDeclaration[] {
  const { uintArithmetic: u, doubleArithmetic: d } = math;
  const addTime = (a: CelTimestamp, b: CelDuration): CelValue => timestamp(a.nanos + b.nanos);
  return [
    declare(
      Operator.add,
      same('add_bytes', BYTES, (a: Uint8Array, b: Uint8Array) => Uint8Array.from([...a, ...b])),
      same('add_double', DOUBLE, d.add),
      same('add_duration_duration', DURATION, (a: CelDuration, b: CelDuration) => duration(a.nanos + b.nanos)),
      global('add_duration_timestamp', [DURATION, TIMESTAMP], TIMESTAMP, (a, b) => addTime(b, a)),
      global('add_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP, addTime),
      same('add_int64', INT, math.addInt),
      same('add_list', LIST_A, concat),
      same('add_string', STRING, (a: string, b: string) => a + b),
      same('add_uint64', UINT, u.add),
    ),
    declare(
      Operator.subtract,
      same('subtract_double', DOUBLE, d.subtract),
      same('subtract_duration_duration', DURATION, (a: CelDuration, b: CelDuration) => duration(a.nanos - b.nanos)),
      same('subtract_int64', INT, math.subtractInt),
      global('subtract_timestamp_duration', [TIMESTAMP, DURATION], TIMESTAMP, (a: CelTimestamp, b: CelDuration) =>
        timestamp(a.nanos - b.nanos),
      ),
      global('subtract_timestamp_timestamp', [TIMESTAMP, TIMESTAMP], DURATION, timeBetween),
      same('subtract_uint64', UINT, u.subtract),
    ),
    declare(
      Operator.multiply,
      same('multiply_double', DOUBLE, d.multiply),
      same('multiply_int64', INT, math.multiplyInt),
      same('multiply_uint64', UINT, u.multiply),
    ),
    declare(
      Operator.divide,
      same('divide_double', DOUBLE, d.divide),
      same('divide_int64', INT, math.divideInt),
      same('divide_uint64', UINT, u.divide),
    ),
    declare(Operator.modulo, same('modulo_int64', INT, math.moduloInt), same('modulo_uint64', UINT, u.modulo)),
    declare(
      Operator.negate,
      global('negate_double', [DOUBLE], DOUBLE, d.negate),
      global('negate_int64', [INT], INT, math.negateInt),
    ),
  ];
}

/** The operators of the grammar. Comparing numbers of different types came to Kubernetes later than the rest. */
export function operators(options: { crossTypeNumeric: boolean; optionals: boolean }): FunctionDeclaration[] {
  const cross = options.crossTypeNumeric;
  const optionalIndex = options.optionals
    ? [
        global('optional_list_index_int', [optionalType(LIST_A), INT], optionalType(A), compiled),
        global('optional_map_index_value', [optionalType(MAP_AB), A], optionalType(B), compiled),
      ]
    : [];
  return [
    declare(Operator.conditional, global('conditional', [BOOL, A, A], A, compiled)),
    declare(Operator.and, global('logical_and', [BOOL, BOOL], BOOL, compiled)),
    declare(Operator.or, global('logical_or', [BOOL, BOOL], BOOL, compiled)),
    declare(
      Operator.not,
      global('logical_not', [BOOL], BOOL, (a: boolean) => !a),
    ),
    declare(Operator.notStrictlyFalse, global('not_strictly_false', [BOOL], BOOL, compiled)),
    declare(Operator.equals, global('equals', [A, A], BOOL, celEqual)),
    declare(
      Operator.notEquals,
      global('not_equals', [A, A], BOOL, (a, b) => !celEqual(a, b)),
    ),
    ...arithmetic(),
    comparison(Operator.less, 'less', (sign) => sign < 0, cross),
    comparison(Operator.lessEquals, 'less_equals', (sign) => sign <= 0, cross),
    comparison(Operator.greater, 'greater', (sign) => sign > 0, cross),
    comparison(Operator.greaterEquals, 'greater_equals', (sign) => sign >= 0, cross),
    declare(
      Operator.index,
      global('index_list', [LIST_A, INT], A, compiled),
      global('index_map', [MAP_AB, A], B, compiled),
      ...optionalIndex,
    ),
    declare(
      Operator.in,
      global('in_list', [A, LIST_A], BOOL, inList),
      global('in_map', [A, MAP_AB], BOOL, (key, map) => mapGet(map, key) !== undefined),
    ),
  ];
}
