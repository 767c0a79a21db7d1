import { type FieldError, fieldError } from '@hypershift-ts/kube-apimachinery';

/** What a conversion made, and what it has to say about it. With errors the value must not be written. */
export interface Conversion<T> {
  readonly value: T;
  readonly errors: readonly FieldError[];
  readonly warnings: readonly FieldError[];
}

/** Collects everything wrong with an input, so that its owner can mend all of it at once. */
export class Findings {
  readonly errors: FieldError[] = [];
  readonly warnings: FieldError[] = [];

  invalid(field: string, value: unknown, detail: string): void {
    this.errors.push(fieldError.invalid(field, value, detail));
  }

  required(field: string, detail: string): void {
    this.errors.push(fieldError.required(field, detail));
  }

  /** For values that must not be shown. */
  forbidden(field: string, detail: string): void {
    this.errors.push(fieldError.forbidden(field, detail));
  }

  /** Refuses a value that is set and not one of these. */
  oneOf(field: string, value: string | undefined, known: readonly string[]): void {
    if (value && !known.includes(value))
      this.invalid(field, value, `unable to convert ${field.slice(field.lastIndexOf('.') + 1)}, unknown value`);
  }

  warn(field: string, value: unknown, detail: string): void {
    this.warnings.push(fieldError.invalid(field, value, detail));
  }

  /** Tells of fields that are left behind, where that is no reason to refuse; empty ones are as good as absent. */
  ignored<T extends object>(path: string, from: T, fields: { readonly [K in keyof T]?: string }): void {
    for (const [name, detail] of Object.entries(fields) as [keyof T & string, string][])
      if (isFilled(from[name])) this.warn(`${path}.${name}`, from[name], detail);
  }

  /** Refuses fields that the other API cannot express; empty ones are as good as absent. */
  unsupported<T extends object>(path: string, from: T, fields: { readonly [K in keyof T]?: string }): void {
    for (const [name, detail] of Object.entries(fields) as [keyof T & string, string][])
      if (isFilled(from[name])) this.invalid(`${path}.${name}`, from[name], detail);
  }

  result<T>(value: T): Conversion<T> {
    return { value, errors: this.errors, warnings: this.warnings };
  }
}

function isFilled(value: unknown): boolean {
  if (value === undefined || value === null || value === '' || value === 0 || value === false) return false;
  return typeof value !== 'object' || Object.keys(value).length > 0;
}
