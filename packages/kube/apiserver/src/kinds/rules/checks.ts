import type { FieldError, FormatCheck } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isInRange, isQualifiedName } from '@hypershift-ts/kube-apimachinery';
import { isEmpty, isSet } from '../values.ts';
import { semanticEqual } from './semantic-equality.ts';

/** Checks that many kinds share. Each adds what it finds to `errors`, in the words of Kubernetes. */

export const immutableMessage = 'field is immutable';
export const notNegativeMessage = 'must be greater than or equal to 0';

/** True when the value is there, so that a caller can go on to look at its form. */
export function required(errors: FieldError[], field: string, value: unknown, detail = ''): boolean {
  if (!isEmpty(value)) return true;
  errors.push(fieldError.required(field, detail));
  return false;
}

/** An enum value; absent ones pass. */
export function supported(errors: FieldError[], field: string, value: unknown, values: readonly string[]): void {
  if (isSet(value) && !values.includes(value as string)) errors.push(fieldError.notSupported(field, value, values));
}

/** A required enum value. */
export function supportedOrMissing(
  errors: FieldError[],
  field: string,
  value: unknown,
  values: readonly string[],
  detail = '',
): void {
  if (required(errors, field, value, detail)) supported(errors, field, value, values);
}

export function notNegative(errors: FieldError[], field: string, value: unknown): void {
  if (typeof value === 'number' && value < 0) errors.push(fieldError.invalid(field, value, notNegativeMessage));
}

export function positive(errors: FieldError[], field: string, value: unknown): void {
  if (typeof value === 'number' && value <= 0) errors.push(fieldError.invalid(field, value, 'must be greater than 0'));
}

export function inRange(errors: FieldError[], field: string, value: unknown, low: number, high: number): void {
  if (typeof value !== 'number') return;
  for (const message of isInRange(value, low, high)) errors.push(fieldError.invalid(field, value, message));
}

/** A port that must be given, 1 to 65535. */
export function portNumber(errors: FieldError[], field: string, value: unknown): void {
  const port = typeof value === 'number' ? value : 0;
  for (const message of isInRange(port, 1, 65535)) errors.push(fieldError.invalid(field, port, message));
}

export function format(errors: FieldError[], field: string, value: unknown, check: FormatCheck): void {
  const text = typeof value === 'string' ? value : '';
  for (const message of check(text)) errors.push(fieldError.invalid(field, text, message));
}

export function qualifiedName(errors: FieldError[], field: string, value: unknown): void {
  format(errors, field, value, isQualifiedName);
}

export function immutable(errors: FieldError[], field: string, value: unknown, old: unknown): void {
  if (!semanticEqual(value, old)) errors.push(fieldError.invalid(field, value, immutableMessage));
}

/** Reports the second and later items that have the same key. */
export function unique<T>(
  errors: FieldError[],
  list: readonly T[],
  field: (index: number) => string,
  key: (item: T) => unknown,
  shown: (item: T) => unknown = key,
): void {
  const seen = new Set<unknown>();
  list.forEach((item, index) => {
    const value = key(item);
    if (value === undefined || value === '') return;
    if (seen.has(value)) errors.push(fieldError.duplicate(field(index), shown(item)));
    seen.add(value);
  });
}
