import { fieldError, formatFieldError } from '../field-error.ts';
import type { FieldError } from '../field-error.ts';
import { isLabelValue, isQualifiedName } from '../names/index.ts';

/** The operators of label selectors, by the names upstream's `selection` package gives them. */
export type SelectorOperator = 'in' | 'notin' | '=' | '==' | '!=' | 'exists' | '!' | 'gt' | 'lt';

/** One term of a label selector. */
export interface Requirement {
  readonly key: string;
  readonly operator: SelectorOperator;
  /** Sorted and without duplicates. */
  readonly values: readonly string[];
}

/** A selector that cannot be understood; the API answers it with 400 BadRequest and this message. */
export class SelectorError extends Error {
  override readonly name = 'SelectorError';
}

const int64Min = -(2n ** 63n);
const int64Max = 2n ** 63n - 1n;

/** Go's ParseInt(text, 10, 64). */
export function parseInt64(text: string): bigint | undefined {
  if (!/^[+-]?[0-9]{1,400}$/.test(text)) return undefined;
  const value = BigInt(text.startsWith('+') ? text.slice(1) : text);
  return value >= int64Min && value <= int64Max ? value : undefined;
}

function valueCountErrors(operator: SelectorOperator, values: readonly string[]): FieldError[] {
  switch (operator) {
    case 'in':
    case 'notin':
      if (values.length > 0) return [];
      return [fieldError.invalid('values', values, "for 'in', 'notin' operators, values set can't be empty")];
    case '=':
    case '==':
    case '!=':
      if (values.length === 1) return [];
      return [fieldError.invalid('values', values, 'exact-match compatibility requires one single value')];
    case 'exists':
    case '!':
      if (values.length === 0) return [];
      return [fieldError.invalid('values', values, 'values set must be empty for exists and does not exist')];
    case 'gt':
    case 'lt':
      return [
        ...(values.length === 1
          ? []
          : [fieldError.invalid('values', values, "for 'Gt', 'Lt' operators, exactly one value is required")]),
        ...values.flatMap((value, index) =>
          parseInt64(value) === undefined
            ? [fieldError.invalid(`values[${index}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer")]
            : [],
        ),
      ];
    default:
      return operator satisfies never;
  }
}

/** The complaint about a label key where no field can be named. */
export function labelKeyError(key: string, field: string): FieldError | undefined {
  const messages = isQualifiedName(key);
  return messages.length === 0 ? undefined : fieldError.invalid(field, key, messages.join('; '));
}

/** A checked requirement. Throws SelectorError listing everything wrong with it. */
export function newRequirement(key: string, operator: SelectorOperator, values: readonly string[]): Requirement {
  const errors: FieldError[] = [];
  const keyError = labelKeyError(key, 'key');
  if (keyError) errors.push(keyError);
  errors.push(...valueCountErrors(operator, values));
  values.forEach((value, index) => {
    const messages = isLabelValue(value);
    if (messages.length > 0) errors.push(fieldError.invalid(`values[${index}][${key}]`, value, messages.join('; ')));
  });
  if (errors.length > 0) {
    const texts = [...new Set(errors.map(formatFieldError))];
    throw new SelectorError(texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`);
  }
  return { key, operator, values: values.length < 2 ? values : [...new Set(values)].sort() };
}

/** The canonical text of one requirement. */
export function formatRequirement({ key, operator, values }: Requirement): string {
  switch (operator) {
    case 'exists':
      return key;
    case '!':
      return `!${key}`;
    case 'in':
    case 'notin':
      return `${key} ${operator} (${values.join(',')})`;
    case 'gt':
      return `${key}>${values.join(',')}`;
    case 'lt':
      return `${key}<${values.join(',')}`;
    default:
      return `${key}${operator}${values.join(',')}`;
  }
}
