/** A lower and an upper bound of a size or a cost. Arithmetic saturates where upstream's 64-bit integers do. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** Stands in for the largest unsigned 64-bit integer, and that for "no bound known". */
export const UNBOUNDED = 2 ** 64;

export const UNKNOWN: Range = { min: 0, max: UNBOUNDED };
export const NOTHING: Range = { min: 0, max: 0 };

export function exactly(value: number): Range {
  return { min: value, max: value };
}

const capped = (value: number): number => Math.min(value, UNBOUNDED);

export function plus(...ranges: readonly Range[]): Range {
  return ranges.reduce(
    (sum, range) => ({ min: capped(sum.min + range.min), max: capped(sum.max + range.max) }),
    NOTHING,
  );
}

export function times(a: Range, b: Range): Range {
  return { min: capped(a.min * b.min), max: capped(a.max * b.max) };
}

/** Multiplies by a cost per unit, rounding up. */
export function scaled(range: Range, factor: number): Range {
  return { min: capped(Math.ceil(range.min * factor)), max: capped(Math.ceil(range.max * factor)) };
}

export function union(a: Range, b: Range): Range {
  return { min: Math.min(a.min, b.min), max: Math.max(a.max, b.max) };
}
