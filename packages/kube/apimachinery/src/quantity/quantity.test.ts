import { describe, expect, it } from 'vitest';
import { canonicalQuantity, parseQuantity, tryParseQuantity } from './index.ts';

describe('parseQuantity', () => {
  it.each<[string | number, string]>([
    ['0', '0'],
    ['0n', '0'],
    ['-0', '0'],
    ['100', '100'],
    ['1000', '1k'],
    ['1024', '1024'],
    ['1Ki', '1Ki'],
    ['1024Ki', '1Mi'],
    ['1025Ki', '1025Ki'],
    ['8Ki', '8Ki'],
    ['1.5Gi', '1536Mi'],
    ['0.5Gi', '512Mi'],
    ['0.5Ki', '512'],
    ['.5', '500m'],
    ['1.5', '1500m'],
    ['0.1', '100m'],
    ['0.0001', '100u'],
    ['0.0000000001', '1n'],
    ['-0.0000000001', '-1n'],
    ['1.0000000001', '1000000001n'],
    ['100m', '100m'],
    ['1000m', '1'],
    ['2000m', '2'],
    ['12e6', '12e6'],
    ['12E6', '12E6'],
    ['12000e3', '12e6'],
    ['1e3', '1e3'],
    ['1e-3', '1e-3'],
    ['100e-3', '100e-3'],
    ['1E', '1E'],
    ['9Ei', '9223372036854775807'],
    ['1Ei', '1Ei'],
    ['0.5', '500m'],
    ['1.000', '1'],
    ['05', '05'],
    ['+5', '+5'],
    ['-5', '-5'],
    ['3M', '3M'],
    ['3000000', '3M'],
    ['0.1Ki', '102400m'],
    ['0.001Mi', '1048576m'],
    ['1.', '1.'],
    [5, '5'],
    [0.25, '250m'],
    [1e21, '1e+21'],
  ])('When given %j, it should be written back as %j', (text, canonical) => {
    expect(canonicalQuantity(text)).toBe(canonical);
  });

  it.each([
    ['', 'quantities must match'],
    ['1 ', 'quantities must match'],
    ['1.1.1', 'quantities must match'],
    ['--1', "unable to parse quantity's suffix"],
    ['abc', 'quantities must match'],
    ['1x', 'quantities must match'],
    ['1K', "unable to parse quantity's suffix"],
    ['1mi', "unable to parse quantity's suffix"],
    ['1kk', "unable to parse quantity's suffix"],
    ['1e', "unable to parse quantity's suffix"],
    ['1e999999999', "unable to parse quantity's suffix"],
    ['1'.repeat(100_000), 'quantities must match'],
  ])('When given %j, it should be refused', (text, message) => {
    expect(() => parseQuantity(text)).toThrow(message);
  });

  it('When the input is no text, it should be undefined', () => {
    expect(tryParseQuantity({})).toBeUndefined();
    expect(tryParseQuantity('1Gi')?.value()).toBe(1073741824n);
  });
});

describe('Quantity', () => {
  it.each([
    ['1100m', 2n, 1100n],
    ['-1100m', -2n, -1100n],
    ['1', 1n, 1000n],
    ['1n', 1n, 1n],
    ['1Gi', 1073741824n, 1073741824000n],
    ['2e3', 2000n, 2000000n],
  ])('When %s is asked for whole and milli units, it should round away from zero', (text, value, milli) => {
    expect(parseQuantity(text).value()).toBe(value);
    expect(parseQuantity(text).milliValue()).toBe(milli);
  });

  it.each<[string, string, number]>([
    ['1Gi', '1G', 1],
    ['1000m', '1', 0],
    ['1Ki', '1024', 0],
    ['-1', '1n', -1],
    ['1e1000', '1e999', 1],
    ['0.3', '300m', 0],
  ])('When %s is compared with %s, it should say %i', (a, b, expected) => {
    expect(parseQuantity(a).compare(parseQuantity(b))).toBe(expected);
    expect(parseQuantity(b).compare(parseQuantity(a))).toBe(expected === 0 ? 0 : -expected);
  });

  it.each([
    ['1Gi', '512Mi', '1536Mi', '512Mi'],
    ['100m', '1', '1100m', '-900m'],
    ['0', '1Ki', '1Ki', '-1Ki'],
    ['1', '1', '2', '0'],
    ['9223372036854775807', '1', '9223372036854775808', '9223372036854775806'],
  ])('When %s meets %s, it should add to %s and leave %s', (a, b, sum, rest) => {
    const [left, right] = [parseQuantity(a), parseQuantity(b)];
    expect(String(left.add(right))).toBe(sum);
    expect(String(left.subtract(right))).toBe(rest);
    expect(String(left)).toBe(a);
  });

  it.each<[string, bigint | undefined]>([
    ['0', 0n],
    ['12e6', 12_000_000n],
    ['1Gi', 1_073_741_824n],
    ['-5k', -5000n],
    ['1.5Gi', undefined],
    ['2000m', undefined],
    ['1.0', undefined],
    ['10000000000E', undefined],
  ])('When %s is asked for as a 64-bit integer, it should be %s', (text, expected) => {
    expect(parseQuantity(text).asInt64()).toBe(expected);
  });

  it('When a float will do, it should be close', () => {
    expect(parseQuantity('2500m').asApproximateFloat()).toBeCloseTo(2.5, 12);
    expect(parseQuantity('1Mi').asApproximateFloat()).toBe(1048576);
    expect(JSON.stringify({ q: parseQuantity('1024Mi') })).toBe('{"q":"1Gi"}');
  });
});
