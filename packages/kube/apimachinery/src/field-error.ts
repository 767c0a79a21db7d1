import type { JsonValue } from './json.ts';

/** The kinds of `field.Error` Kubernetes knows, by their wire reason. */
export type FieldErrorType =
  | 'FieldValueNotFound'
  | 'FieldValueRequired'
  | 'FieldValueDuplicate'
  | 'FieldValueInvalid'
  | 'FieldValueNotSupported'
  | 'FieldValueForbidden'
  | 'FieldValueTooLong'
  | 'FieldValueTooMany'
  | 'InternalError'
  | 'FieldValueTypeInvalid';

/** One thing wrong with one field. `message` is the part after the path: `Invalid value: "x": must be ...`. */
export interface FieldError {
  readonly type: FieldErrorType;
  readonly field: string;
  readonly message: string;
}

const titles: Record<FieldErrorType, string> = {
  FieldValueNotFound: 'Not found',
  FieldValueRequired: 'Required value',
  FieldValueDuplicate: 'Duplicate value',
  FieldValueInvalid: 'Invalid value',
  FieldValueNotSupported: 'Unsupported value',
  FieldValueForbidden: 'Forbidden',
  FieldValueTooLong: 'Too long',
  FieldValueTooMany: 'Too many',
  InternalError: 'Internal error',
  FieldValueTypeInvalid: 'Invalid value',
};

/** How Go prints the bad value: strings quoted, scalars plain, composites as JSON. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value);
  if (value === undefined || value === null) return 'null';
  if (typeof value === 'object') return JSON.stringify(value);
  return `${value as string | number | boolean}`;
}

function make(type: FieldErrorType, field: string, rest: string): FieldError {
  return { type, field, message: rest === '' ? titles[type] : `${titles[type]}: ${rest}` };
}

export const fieldError = {
  invalid: (field: string, value: unknown, detail: string) =>
    make('FieldValueInvalid', field, detail ? `${shown(value)}: ${detail}` : shown(value)),
  typeInvalid: (field: string, value: unknown, detail: string) =>
    make('FieldValueTypeInvalid', field, `${shown(value)}: ${detail}`),
  /** Invalid without showing the value, as CEL rules on objects and arrays report. */
  invalidOmitted: (field: string, detail: string) => make('FieldValueInvalid', field, detail),
  required: (field: string, detail = '') => make('FieldValueRequired', field, detail),
  duplicate: (field: string, value: unknown) => make('FieldValueDuplicate', field, shown(value)),
  notFound: (field: string, value: unknown) => make('FieldValueNotFound', field, shown(value)),
  forbidden: (field: string, detail: string) => make('FieldValueForbidden', field, detail),
  notSupported: (field: string, value: unknown, supported: readonly JsonValue[]) =>
    make(
      'FieldValueNotSupported',
      field,
      `${shown(value)}${supported.length > 0 ? `: supported values: ${supported.map(shown).join(', ')}` : ''}`,
    ),
  tooLong: (field: string, maxBytes: number) =>
    make('FieldValueTooLong', field, `may not be more than ${maxBytes} byte${maxBytes === 1 ? '' : 's'}`),
  tooMany: (field: string, actual: number, max: number) =>
    make('FieldValueTooMany', field, `${actual}: must have at most ${max} item${max === 1 ? '' : 's'}`),
  internal: (field: string, detail: string) => make('InternalError', field, detail),
};

/** `spec.replicas: Invalid value: -1: must be ...` */
export function formatFieldError(error: FieldError): string {
  return `${error.field === '' ? '<nil>' : error.field}: ${error.message}`;
}
