import { OpaqueValue } from './value.ts';

const NANOS = 1_000_000_000n;
const INT64_MAX = (1n << 63n) - 1n;

/** Power of ten a decimal suffix stands for. */
const DECIMAL: Readonly<Record<string, number>> = { n: -9, u: -6, m: -3, '': 0, k: 3, M: 6, G: 9, T: 12, P: 15, E: 18 };
const BINARY: Readonly<Record<string, number>> = { Ki: 10, Mi: 20, Gi: 30, Ti: 40, Pi: 50, Ei: 60 };
const PATTERN = /^([+-]?)(\d*)(?:\.(\d*))?([eE][+-]?\d+|Ki|Mi|Gi|Ti|Pi|Ei|[numkMGTPE])?$/;
const LONGEST = 128;

/** A resource quantity, exact to a nano unit. */
export class CelQuantity extends OpaqueValue {
  readonly typeName = 'kubernetes.Quantity';
  /** The amount times 10^9. */
  readonly nanos: bigint;
  /** Power of ten of the last digit as written; undefined once beyond plain 64-bit amounts. */
  private readonly scale: number | undefined;

  constructor(nanos: bigint, scale: number | undefined) {
    super();
    this.nanos = nanos;
    this.scale = scale;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof CelQuantity && this.nanos === other.nanos;
  }
  compare(other: CelQuantity): number {
    return this.nanos < other.nanos ? -1 : this.nanos > other.nanos ? 1 : 0;
  }
  /** The amount as an int64; undefined when it is written with a fraction or too large, even if its value is whole. */
  get integer(): bigint | undefined {
    if (this.scale === undefined || this.scale < 0) return undefined;
    const value = this.nanos / NANOS;
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }
  get float(): number {
    const whole = this.nanos / NANOS;
    return Number(whole) + Number(this.nanos - whole * NANOS) / 1e9;
  }
  plus(other: CelQuantity): CelQuantity {
    return this.combine(this.nanos + other.nanos, other);
  }
  minus(other: CelQuantity): CelQuantity {
    return this.combine(this.nanos - other.nanos, other);
  }
  static ofInt(value: bigint): CelQuantity {
    return new CelQuantity(value * NANOS, 0);
  }
  private combine(nanos: bigint, other: CelQuantity): CelQuantity {
    const scale = this.scale === undefined || other.scale === undefined ? undefined : Math.min(this.scale, other.scale);
    return new CelQuantity(nanos, scale);
  }
}

/** Reads a quantity such as `1.5Gi`, `100m` or `1e3`; undefined when it is none. */
export function parseQuantity(text: string): CelQuantity | undefined {
  const match = text.length > LONGEST ? null : PATTERN.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', suffix = ''] = match;
  // Upstream reads a sign, point or suffix without digits as zero.
  if (text === '') return undefined;
  const digits = BigInt(whole + fraction || '0');
  const binary = BINARY[suffix];
  const exponent = binary === undefined ? decimalExponent(suffix) : 0;
  if (exponent === undefined) return undefined;
  const factor = binary === undefined ? 1n : 1n << BigInt(binary);
  const scale = exponent - fraction.length;
  const magnitude = scaleUp(digits * factor, scale + 9);
  const simple = isSimple(whole, fraction, binary) ? scale : undefined;
  return new CelQuantity(sign === '-' ? -magnitude : magnitude, simple);
}

function decimalExponent(suffix: string): number | undefined {
  if (!/^[eE][+-]?\d/.test(suffix)) return DECIMAL[suffix];
  const exponent = Number(suffix.slice(1));
  return Math.abs(exponent) > 1000 ? undefined : exponent;
}

/** Anything finer than a nano unit is rounded up, and amounts beyond what an int64 of nano units holds are kept exact. */
function scaleUp(value: bigint, power: number): bigint {
  if (power >= 0) return value * 10n ** BigInt(power);
  const divisor = 10n ** BigInt(-power);
  return (value + divisor - 1n) / divisor;
}

function isSimple(whole: string, fraction: string, binary: number | undefined): boolean {
  const digits = whole.replace(/^0+/, '').length + fraction.length;
  if (binary === undefined) return digits <= 18;
  return fraction === '' && BigInt(whole || '0') << BigInt(binary) <= INT64_MAX;
}
