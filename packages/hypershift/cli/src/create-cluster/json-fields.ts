import { decodeYaml, isJsonObject } from '@hypershift-ts/kube-apimachinery';
import { UserError } from '../cli-error.ts';
import type { JsonFields } from './platform-builder.ts';

const longest = 1 << 20;

/** Reads a JSON or YAML object that another command wrote. */
export function parseFields(text: string, flag: string): JsonFields {
  let value: unknown;
  try {
    ({ value } = decodeYaml(text, { maxLength: longest }));
  } catch (cause) {
    // The parser quotes the text, which may hold secrets.
    throw new UserError(`--${flag}: the file is neither JSON nor YAML`, 'Check that it is the right file.', { cause });
  }
  if (!isJsonObject(value)) throw new UserError(`--${flag}: expected an object`, 'Check that it is the right file.');
  return value;
}

/** The text in a field; undefined when it is absent or empty. */
export function textField(fields: JsonFields | undefined, name: string): string | undefined {
  const value = fields?.[name];
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** The text in a field that must be there. */
export function requiredText(fields: JsonFields, name: string, flag: string): string {
  const value = textField(fields, name);
  if (value === undefined)
    throw new UserError(`--${flag}: field ${name} is missing`, 'Check that it is the right file.');
  return value;
}

/** An object of only those fields that have a value. */
export function present<T extends object>(fields: T): { [K in keyof T]?: NonNullable<T[K]> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')) as {
    [K in keyof T]?: NonNullable<T[K]>;
  };
}
