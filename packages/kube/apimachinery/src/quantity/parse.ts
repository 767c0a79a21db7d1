import type { QuantityFormat } from './quantity.ts';
import { Quantity } from './quantity.ts';

/** Why a text is no quantity, in upstream's words. */
export class QuantityError extends Error {
  override readonly name = 'QuantityError';
}

const formatWrong = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
const suffixWrong = "unable to parse quantity's suffix";

// Longer texts and larger exponents are no amounts of anything; refusing them bounds the arithmetic.
const maxLength = 512;
const maxExponent = 1024;
const maxInt64 = 2n ** 63n - 1n;
const nano = -9;

const shape = /^([+-]?)0*([0-9]*)(?:\.([0-9]*))?([eEinumkKMGTP]*[-+]?[0-9]*)$/;

interface Suffix {
  readonly base: 2 | 10;
  readonly exponent: number;
  readonly format: QuantityFormat;
}

const suffixes = new Map<string, Suffix>([
  ...['n', 'u', 'm', '', 'k', 'M', 'G', 'T', 'P', 'E'].map((text, index): [string, Suffix] => [
    text,
    { base: 10, exponent: (index - 3) * 3, format: 'DecimalSI' },
  ]),
  ...['Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((text, index): [string, Suffix] => [
    text,
    { base: 2, exponent: (index + 1) * 10, format: 'BinarySI' },
  ]),
]);

function parseSuffix(text: string): Suffix {
  const known = suffixes.get(text);
  if (known) return known;
  if (!/^[eE][+-]?[0-9]+$/.test(text)) throw new QuantityError(suffixWrong);
  const exponent = Number(text.slice(1));
  if (Math.abs(exponent) > maxExponent) throw new QuantityError(suffixWrong);
  return { base: 10, exponent, format: 'DecimalExponent' };
}

/** Whether what was written is kept as it is rather than brought into canonical form. */
function keepsText(digits: string, scale: number, { format, exponent }: Suffix): boolean {
  if (format === 'BinarySI') return exponent % 10 === 0 && (BigInt(digits) & 7n) !== 0n;
  return scale % 3 === 0 && !digits.endsWith('000') && !digits.startsWith('0');
}

/** Enough room left in 64 bits for upstream's exact path; everything else goes through rounding and capping. */
function isSmall(whole: string, fraction: string, { format, exponent }: Suffix): boolean {
  if (format !== 'BinarySI') return whole.length + fraction.length <= 18 && exponent - fraction.length >= nano;
  return fraction === '' && 15 - whole.length - Math.trunc((exponent * 3) / 10) - 1 >= 0;
}

function parseLarge(digits: string, fractionLength: number, suffix: Suffix, negative: boolean): Quantity {
  let amount = BigInt(digits);
  let scale = -fractionLength;
  let { format } = suffix;
  if (suffix.base === 10) scale += suffix.exponent;
  else amount *= 2n ** BigInt(suffix.exponent);
  if (scale >= nano) amount *= 10n ** BigInt(scale - nano);
  else {
    const divisor = 10n ** BigInt(nano - scale);
    amount = (amount + divisor - 1n) / divisor;
  }
  const unit = 10n ** 9n;
  if (format === 'BinarySI' && amount > maxInt64 * unit) amount = maxInt64 * unit;
  if (format === 'BinarySI' && amount < unit && amount > 0n) format = 'DecimalSI';
  return new Quantity(negative ? -amount : amount, nano, format);
}

/** Parses a quantity as resource.Quantity does: suffixes, exponents, rounding up to nano, capping of binary ones. */
export function parseQuantity(input: string | number): Quantity {
  const text = String(input);
  if (text === '' || text.length > maxLength) throw new QuantityError(formatWrong);
  const found = shape.exec(text);
  if (!found) throw new QuantityError(formatWrong);
  const [, sign = '', digits = '', fraction = '', suffixText = ''] = found;
  const whole = digits === '' ? '0' : digits;
  const suffix = parseSuffix(suffixText);
  const all = whole + fraction;
  if (!isSmall(whole, fraction, suffix)) return parseLarge(all, fraction.length, suffix, sign === '-');
  const amount = BigInt(all) * (suffix.base === 2 ? 2n ** BigInt(suffix.exponent) : 1n);
  const scale = (suffix.base === 10 ? suffix.exponent : 0) - fraction.length;
  const kept = keepsText(all, scale, suffix) ? text : undefined;
  return new Quantity(sign === '-' ? -amount : amount, scale, suffix.format, kept);
}

/** The quantity, or undefined when the text is none. */
export function tryParseQuantity(input: unknown): Quantity | undefined {
  if (typeof input !== 'string' && typeof input !== 'number') return undefined;
  try {
    return parseQuantity(input);
  } catch {
    return undefined;
  }
}

/** What the API server stores for a quantity that was written as `input`. */
export function canonicalQuantity(input: string | number): string {
  return parseQuantity(input).toString();
}
