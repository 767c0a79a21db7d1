import { type FieldError, fieldError, isDNS1035Label } from '@hypershift-ts/kube-apimachinery';
import type { DefinitionNames } from './types.ts';

const mixedCase = (wrong: readonly string[]) => `may have mixed case, but should otherwise match: ${wrong.join(',')}`;

/** Checks the form of the names that are given; whether they must be given is the spec's matter. */
export function validateNames(names: Partial<DefinitionNames>, at: string): FieldError[] {
  const errors: FieldError[] = [];
  for (const field of ['plural', 'singular'] as const) {
    const value = names[field] ?? '';
    const wrong = value === '' ? [] : isDNS1035Label(value);
    if (wrong.length > 0) errors.push(fieldError.invalid(`${at}.${field}`, value, wrong.join(',')));
  }
  for (const field of ['kind', 'listKind'] as const) {
    const value = names[field] ?? '';
    const wrong = value === '' ? [] : isDNS1035Label(value.toLowerCase());
    if (wrong.length > 0) errors.push(fieldError.invalid(`${at}.${field}`, value, mixedCase(wrong)));
  }
  errors.push(...validateLabels(names.shortNames ?? [], `${at}.shortNames`));
  if (names.kind && names.kind === names.listKind) {
    errors.push(fieldError.invalid(`${at}.listKind`, names.listKind, 'kind and listKind may not be the same'));
  }
  errors.push(...validateLabels(names.categories ?? [], `${at}.categories`));
  return errors;
}

function validateLabels(values: readonly string[], at: string): FieldError[] {
  return values.flatMap((value, index) => {
    const wrong = isDNS1035Label(value);
    return wrong.length === 0 ? [] : [fieldError.invalid(`${at}[${index}]`, value, wrong.join(','))];
  });
}

/** The names a definition must have. */
export function validateRequiredNames(names: Partial<DefinitionNames>, at: string): FieldError[] {
  return (['plural', 'singular', 'kind', 'listKind'] as const)
    .filter((field) => !names[field])
    .map((field) => fieldError.required(`${at}.${field}`));
}
