/** Blowfish begins with the binary digits of pi after the point: 18 words for P and 4 times 256 for S. */
const words = 18 + 4 * 256;
const guardBits = 64n;

let digits: Int32Array | undefined;

/** A fresh copy of the tables, as every key schedule changes them. */
export function blowfishTables(): { readonly p: Int32Array; readonly s: Int32Array } {
  digits ??= piWords();
  return { p: digits.slice(0, 18), s: digits.slice(18) };
}

/** Computed once by Machin's formula; shorter to read and to check than a thousand constants. */
function piWords(): Int32Array {
  const bits = BigInt(words * 32) + guardBits;
  const pi = 4n * (4n * arctanOfInverse(5n, bits) - arctanOfInverse(239n, bits));
  const fraction = (pi - (3n << bits)) >> guardBits;
  const hex = fraction.toString(16).padStart(words * 8, '0');
  return Int32Array.from({ length: words }, (_, i) => Number.parseInt(hex.slice(i * 8, i * 8 + 8), 16));
}

/** arctan(1/x) as a fixed point number with so many bits after the point. */
function arctanOfInverse(x: bigint, bits: bigint): bigint {
  const square = x * x;
  let power = (1n << bits) / x;
  let sum = power;
  for (let n = 3n, sign = -1n; power !== 0n; n += 2n, sign = -sign) {
    power /= square;
    sum += sign * (power / n);
  }
  return sum;
}
