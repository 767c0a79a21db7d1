import { fail } from '../errors.ts';
import type { CelValue } from './value.ts';
import { CelUint, double, doubleOf, int } from './value.ts';

export type Int = number | bigint;

const INT_MIN = -(1n << 63n);

function checked(value: bigint): Int {
  if (BigInt.asIntN(64, value) !== value) fail('integer overflow');
  return int(value);
}

export function addInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const sum = a + b;
    if (Number.isSafeInteger(sum)) return sum;
  }
  return checked(BigInt(a) + BigInt(b));
}

export function subtractInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const difference = a - b;
    if (Number.isSafeInteger(difference)) return difference;
  }
  return checked(BigInt(a) - BigInt(b));
}

export function multiplyInt(a: Int, b: Int): Int {
  if (typeof a === 'number' && typeof b === 'number') {
    const product = a * b;
    // `+ 0` turns -0 into 0: an int has no negative zero.
    if (Number.isSafeInteger(product)) return product + 0;
  }
  return checked(BigInt(a) * BigInt(b));
}

export function divideInt(a: Int, b: Int): Int {
  if (b === 0) fail('division by zero');
  if (typeof a === 'number' && typeof b === 'number') return Math.trunc(a / b) + 0;
  return checked(BigInt(a) / BigInt(b));
}

export function moduloInt(a: Int, b: Int): Int {
  if (b === 0) fail('modulus by zero');
  if (typeof a === 'number' && typeof b === 'number') return (a % b) + 0;
  if (BigInt(a) === INT_MIN && b === -1) fail('integer overflow');
  return int(BigInt(a) % BigInt(b));
}

export function negateInt(a: Int): Int {
  return typeof a === 'number' ? 0 - a : checked(-a);
}

function checkedUint(value: bigint): CelUint {
  if (BigInt.asUintN(64, value) !== value) fail('unsigned integer overflow');
  return new CelUint(value);
}

export const uintArithmetic = {
  add: (a: CelUint, b: CelUint): CelUint => checkedUint(a.value + b.value),
  subtract: (a: CelUint, b: CelUint): CelUint => checkedUint(a.value - b.value),
  multiply: (a: CelUint, b: CelUint): CelUint => checkedUint(a.value * b.value),
  divide: (a: CelUint, b: CelUint): CelUint =>
    b.value === 0n ? fail('division by zero') : new CelUint(a.value / b.value),
  modulo: (a: CelUint, b: CelUint): CelUint =>
    b.value === 0n ? fail('modulus by zero') : new CelUint(a.value % b.value),
};

export const doubleArithmetic = {
  add: (a: CelValue, b: CelValue): CelValue => double(doubleOf(a) + doubleOf(b)),
  subtract: (a: CelValue, b: CelValue): CelValue => double(doubleOf(a) - doubleOf(b)),
  multiply: (a: CelValue, b: CelValue): CelValue => double(doubleOf(a) * doubleOf(b)),
  divide: (a: CelValue, b: CelValue): CelValue => double(doubleOf(a) / doubleOf(b)),
  negate: (a: CelValue): CelValue => double(-doubleOf(a)),
};
