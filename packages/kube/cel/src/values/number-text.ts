import { plainNumber } from './time.ts';

/** A double as Go's `%g` prints it: shortest digits, exponent form below 1e-4 and from 1e6 on. */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN';
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf';
  if (value === 0) return Object.is(value, -0) ? '-0' : '0';
  const [digits, exponentText] = value.toExponential().split('e') as [string, string];
  const exponent = Number(exponentText);
  if (exponent >= -4 && exponent < 6) return plainNumber(value);
  const sign = exponent < 0 ? '-' : '+';
  return `${digits}e${sign}${String(Math.abs(exponent)).padStart(2, '0')}`;
}

const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/** Reads what Go's ParseFloat reads in decimal; undefined otherwise or when out of range. */
export function parseDouble(text: string): number | undefined {
  if (DECIMAL.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : undefined;
  }
  const match = /^([+-]?)(inf|infinity|nan)$/i.exec(text);
  if (!match) return undefined;
  if (match[2]!.toLowerCase() === 'nan') return match[1] === '' ? Number.NaN : undefined;
  return match[1] === '-' ? Number.NEGATIVE_INFINITY : Number.POSITIVE_INFINITY;
}

export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return BigInt.asIntN(64, value) === value ? value : undefined;
}

export function parseUint64(text: string): bigint | undefined {
  if (!/^\d{1,30}$/.test(text)) return undefined;
  const value = BigInt(text);
  return BigInt.asUintN(64, value) === value ? value : undefined;
}

const TRUE_TEXTS = new Set(['1', 't', 'T', 'true', 'TRUE', 'True']);
const FALSE_TEXTS = new Set(['0', 'f', 'F', 'false', 'FALSE', 'False']);

export function parseBool(text: string): boolean | undefined {
  if (TRUE_TEXTS.has(text)) return true;
  return FALSE_TEXTS.has(text) ? false : undefined;
}
