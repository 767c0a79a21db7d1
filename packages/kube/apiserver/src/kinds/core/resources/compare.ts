import type { Quantity } from '@hypershift-ts/kube-apimachinery';
import { tryParseQuantity } from '@hypershift-ts/kube-apimachinery';

/** Questions about quantities as the fields of objects carry them: strings, or numbers from a careless writer. */

export const quantityFault =
  "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";

export function isQuantity(value: unknown): boolean {
  return tryParseQuantity(value) !== undefined;
}

/** Negative, zero or positive; undefined when one of them is no quantity. */
export function compareQuantities(a: unknown, b: unknown): number | undefined {
  const left: Quantity | undefined = tryParseQuantity(a);
  const right = tryParseQuantity(b);
  return left === undefined || right === undefined ? undefined : left.compare(right);
}

export function isWholeQuantity(value: unknown): boolean {
  const quantity = tryParseQuantity(value);
  return quantity !== undefined && quantity.milliValue() % 1000n === 0n;
}

export function quantityIsPositive(value: unknown): boolean {
  return (tryParseQuantity(value)?.sign ?? 0) > 0;
}

export function quantitiesEqual(a: unknown, b: unknown): boolean {
  return compareQuantities(a, b) === 0;
}
