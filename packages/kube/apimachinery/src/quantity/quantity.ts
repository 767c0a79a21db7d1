/** How a quantity was written, which is how it is written back. */
export type QuantityFormat = 'DecimalSI' | 'BinarySI' | 'DecimalExponent';

const ten = (exponent: number): bigint => 10n ** BigInt(exponent);

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

/** Divides by a power of ten, away from zero. */
function dividedUp(value: bigint, exponent: number): bigint {
  const divisor = ten(exponent);
  const quotient = value / divisor;
  if (quotient * divisor === value) return quotient;
  return value < 0n ? quotient - 1n : quotient + 1n;
}

function withoutFactors(value: bigint, factor: bigint, atMost: number): { rest: bigint; times: number } {
  let rest = value;
  let times = 0;
  while (times < atMost && rest !== 0n && rest % factor === 0n) {
    rest /= factor;
    times++;
  }
  return { rest, times };
}

const decimalSuffixes = new Map([
  [-9, 'n'],
  [-6, 'u'],
  [-3, 'm'],
  [0, ''],
  [3, 'k'],
  [6, 'M'],
  [9, 'G'],
  [12, 'T'],
  [15, 'P'],
  [18, 'E'],
]);
const binarySuffixes = ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'];

/**
 * An exact amount of something: `500m`, `1Gi`, `12e6`. The value is `unscaled * 10^scale`. Immutable; arithmetic gives
 * new quantities, in the format of the left side unless that is zero.
 */
export class Quantity {
  readonly unscaled: bigint;
  readonly scale: number;
  readonly format: QuantityFormat;
  private text: string | undefined;

  constructor(unscaled: bigint, scale: number, format: QuantityFormat, text?: string) {
    this.unscaled = unscaled;
    this.scale = scale;
    this.format = format;
    this.text = text;
  }

  get sign(): -1 | 0 | 1 {
    return this.unscaled === 0n ? 0 : this.unscaled < 0n ? -1 : 1;
  }

  get isZero(): boolean {
    return this.unscaled === 0n;
  }

  /** The amount in units of 10^scale, rounded away from zero. */
  scaledValue(scale: number): bigint {
    if (this.unscaled === 0n) return 0n;
    if (this.scale >= scale) return this.unscaled * ten(this.scale - scale);
    return dividedUp(this.unscaled, scale - this.scale);
  }

  /** Whole units, rounded away from zero: bytes, pods, whole CPUs. */
  value(): bigint {
    return this.scaledValue(0);
  }

  /** Thousandths, rounded away from zero: millicores. */
  milliValue(): bigint {
    return this.scaledValue(-3);
  }

  /** Whole units when it was written without fraction and fits 64 bits; undefined otherwise, even if its value is whole. */
  asInt64(): bigint | undefined {
    if (this.scale < 0) return undefined;
    const value = this.scaledValue(0);
    return BigInt.asIntN(64, value) === value ? value : undefined;
  }

  asApproximateFloat(): number {
    const base = Number(this.unscaled);
    // Read rather than computed: some powers of ten come out of ** one bit off.
    return this.scale === 0 ? base : base * Number(`1e${this.scale}`);
  }

  compare(other: Quantity): -1 | 0 | 1 {
    if (this.sign !== other.sign) return this.sign < other.sign ? -1 : 1;
    const scale = Math.min(this.scale, other.scale);
    const left = this.scaledValue(scale);
    const right = other.scaledValue(scale);
    return left === right ? 0 : left < right ? -1 : 1;
  }

  equals(other: Quantity): boolean {
    return this.compare(other) === 0;
  }

  add(other: Quantity): Quantity {
    const scale = Math.min(this.scale, other.scale);
    const format = this.isZero ? other.format : this.format;
    return new Quantity(this.scaledValue(scale) + other.scaledValue(scale), scale, format);
  }

  subtract(other: Quantity): Quantity {
    return this.add(other.negate()).withFormat(this.isZero ? other.format : this.format);
  }

  negate(): Quantity {
    return new Quantity(-this.unscaled, this.scale, this.format);
  }

  withFormat(format: QuantityFormat): Quantity {
    return format === this.format ? this : new Quantity(this.unscaled, this.scale, format);
  }

  /** The canonical form, or what was written when that is as good. */
  toString(): string {
    return (this.text ??= this.canonical());
  }

  toJSON(): string {
    return this.toString();
  }

  private canonical(): string {
    if (this.unscaled === 0n) return '0';
    if (this.format !== 'BinarySI') return this.decimal(this.format);
    const whole = this.scaledValue(0);
    const exact = this.scale >= 0 || whole * ten(-this.scale) === this.unscaled;
    if (!exact || magnitude(whole) < 1024n) return this.decimal('DecimalSI');
    const { rest, times } = withoutFactors(whole, 1024n, binarySuffixes.length - 1);
    return `${rest}${binarySuffixes[times]}`;
  }

  private decimal(format: QuantityFormat): string {
    const { rest, times } = withoutFactors(this.unscaled, 10n, 1_000_000);
    let amount = rest;
    let exponent = this.scale + times;
    const down = ((exponent % 3) + 3) % 3;
    amount *= ten(down);
    exponent -= down;
    if (format === 'DecimalExponent') return exponent === 0 ? `${amount}` : `${amount}e${exponent}`;
    if (exponent > 18) {
      amount *= ten(exponent - 18);
      exponent = 18;
    }
    return `${amount}${decimalSuffixes.get(exponent) ?? ''}`;
  }
}
