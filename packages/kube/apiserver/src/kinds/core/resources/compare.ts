/** Quantities as the fields of objects carry them: strings, or numbers from a careless writer. */

export const quantityFault =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

const pattern = /^([+-]?)(\d{1,30}|\d{0,30}\.\d{1,30}|\d{1,30}\.)(?:([numkMGTPE]|[KMGTPE]i)|[eE]([+-]?\d{1,3}))?$/;
const decimalExponents: Readonly<Record<string, number>> = {
  n: -9,
  u: -6,
  m: -3,
  k: 3,
  M: 6,
  G: 9,
  T: 12,
  P: 15,
  E: 18,
};
const binaryExponents: Readonly<Record<string, number>> = { Ki: 1, Mi: 2, Gi: 3, Ti: 4, Pi: 5, Ei: 6 };

/** The value in units of 10^-9, rounded up; undefined when it is no quantity. */
function nano(value: unknown): bigint | undefined {
  const match = pattern.exec(typeof value === 'number' ? String(value) : typeof value === 'string' ? value : '');
  if (!match) return undefined;
  const [, sign, digits = '', suffix, exponent] = match;
  const [whole = '', fraction = ''] = digits.split('.');
  let power = 9 - fraction.length + (exponent === undefined ? 0 : Number(exponent));
  let scaled = BigInt(`${whole}${fraction}` || '0');
  if (suffix !== undefined && suffix in binaryExponents) scaled *= 1024n ** BigInt(binaryExponents[suffix] ?? 0);
  else if (suffix !== undefined) power += decimalExponents[suffix] ?? 0;
  const divisor = power < 0 ? 10n ** BigInt(-power) : 1n;
  const result = power < 0 ? (scaled + divisor - 1n) / divisor : scaled * 10n ** BigInt(power);
  return sign === '-' ? -result : result;
}

export function isQuantity(value: unknown): boolean {
  return nano(value) !== undefined;
}

/** Negative, zero or positive; undefined when one of them is no quantity. */
export function compareQuantities(a: unknown, b: unknown): number | undefined {
  const left = nano(a);
  const right = nano(b);
  if (left === undefined || right === undefined) return undefined;
  return left < right ? -1 : left > right ? 1 : 0;
}

export function isWholeQuantity(value: unknown): boolean {
  const scaled = nano(value);
  return scaled !== undefined && scaled % 1_000_000_000n === 0n;
}

export function quantityIsPositive(value: unknown): boolean {
  return (compareQuantities(value, '0') ?? -1) > 0;
}

export function quantitiesEqual(a: unknown, b: unknown): boolean {
  return compareQuantities(a, b) === 0;
}
