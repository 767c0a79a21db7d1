import type { FieldError } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isPercent } from '@hypershift-ts/kube-apimachinery';
import { notNegativeMessage } from './checks.ts';

/** A count, or a share like `25%`. */
export function intOrPercent(errors: FieldError[], field: string, value: unknown): void {
  if (typeof value === 'number') {
    if (value < 0) errors.push(fieldError.invalid(field, value, notNegativeMessage));
  } else if (typeof value === 'string')
    for (const message of isPercent(value)) errors.push(fieldError.invalid(field, value, message));
}

export function atMost100Percent(errors: FieldError[], field: string, value: unknown): void {
  if (typeof value === 'string' && isPercent(value).length === 0 && Number(value.slice(0, -1)) > 100)
    errors.push(fieldError.invalid(field, value, 'must not be greater than 100%'));
}

/** The number itself, or the number before the percent sign. */
export function intOrPercentValue(value: unknown): number {
  if (typeof value === 'number') return value;
  return typeof value === 'string' && isPercent(value).length === 0 ? Number(value.slice(0, -1)) : 0;
}
