import type { FieldError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { fieldError, isConfigMapKey } from '@hypershift-ts/kube-apimachinery';
import { format } from '../rules/checks.ts';
import { fieldsOf, textOf } from '../values.ts';
import { semanticEqual } from '../rules/semantic-equality.ts';

/** What ConfigMaps and Secrets share: keys that can be file names, and a size every node can hold. */

export const maxDataBytes = 1024 * 1024;

export function validateKeys(errors: FieldError[], data: unknown, field: string): void {
  for (const key of Object.keys(fieldsOf(data))) format(errors, `${field}[${key}]`, key, isConfigMapKey);
}

export function textBytes(data: unknown): number {
  let total = 0;
  for (const value of Object.values(fieldsOf(data))) total += Buffer.byteLength(textOf(value));
  return total;
}

/** Bytes behind base64 text, without decoding it. */
export function encodedBytes(data: unknown): number {
  let total = 0;
  for (const value of Object.values(fieldsOf(data))) total += Buffer.byteLength(textOf(value), 'base64');
  return total;
}

const base64 = /^[A-Za-z0-9+/\r\n]*={0,2}[\r\n]*$/;

export function validateEncoding(errors: FieldError[], data: unknown, field: string): void {
  for (const [key, value] of Object.entries(fieldsOf(data))) {
    const text = textOf(value);
    if (!base64.test(text) || text.replace(/[\r\n]/g, '').length % 4 !== 0)
      errors.push(fieldError.invalid(`${field}[${key}]`, '<value omitted>', 'illegal base64 data'));
  }
}

/** An object marked immutable stays what it is, mark included. */
export function validateImmutableData(
  object: UnstructuredObject,
  old: UnstructuredObject,
  fields: readonly string[],
): FieldError[] {
  if (old['immutable'] !== true) return [];
  const errors: FieldError[] = [];
  const forbid = (field: string) =>
    errors.push(fieldError.forbidden(field, 'field is immutable when `immutable` is set'));
  if (object['immutable'] !== true) forbid('immutable');
  for (const field of fields) if (!semanticEqual(fieldsOf(object[field]), fieldsOf(old[field]))) forbid(field);
  return errors;
}
