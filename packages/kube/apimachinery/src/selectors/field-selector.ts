import { SelectorError } from './requirement.ts';

/** One term of a field selector. */
export interface FieldRequirement {
  readonly field: string;
  readonly operator: '=' | '!=';
  readonly value: string;
}

/** Reads a field of the object being judged; a missing field counts as empty. */
export type FieldReader = (field: string) => string | undefined;

/** A compiled field selector. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[];
  readonly everything: boolean;
  matches(read: FieldReader): boolean;
  /** The one value `field` must have, when the selector says so. */
  exactMatch(field: string): string | undefined;
  toString(): string;
}

/** Escapes a literal so that it can stand as a value in a field selector. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&');
}

function unescape(value: string): string {
  if (!/[\\,=]/.test(value)) return value;
  let text = '';
  const characters = Array.from(value);
  for (let i = 0; i < characters.length; i++) {
    const char = characters[i] ?? '';
    if (char === '\\') {
      const escaped = characters[++i] ?? '';
      if (escaped === '' || !'\\,='.includes(escaped)) {
        throw new SelectorError(`invalid field selector: invalid escape sequence: \\${escaped}`);
      }
      text += escaped;
    } else if (char === ',' || char === '=') {
      // Upstream prints the number of the character here.
      throw new SelectorError(`invalid field selector: unescaped character in value: ${char.codePointAt(0)}`);
    } else text += char;
  }
  return text;
}

function splitTerms(text: string): string[] {
  const terms: string[] = [];
  let start = 0;
  for (let i = 0; i < text.length; i++) {
    if (text[i] === '\\') i++;
    else if (text[i] === ',') {
      terms.push(text.slice(start, i));
      start = i + 1;
    }
  }
  terms.push(text.slice(start));
  return terms.filter((term) => term !== '').sort();
}

function parseTerm(term: string, whole: string): FieldRequirement {
  const found = /!=|==|=/.exec(term);
  if (!found) throw new SelectorError(`invalid selector: '${whole}'; can't understand '${term}'`);
  const value = unescape(term.slice(found.index + found[0].length));
  return { field: term.slice(0, found.index), operator: found[0] === '!=' ? '!=' : '=', value };
}

/** Compiles field requirements. */
export function fieldSelectorOf(requirements: readonly FieldRequirement[]): FieldSelector {
  return {
    requirements,
    everything: requirements.length === 0,
    matches(read) {
      for (const { field, operator, value } of requirements) {
        if (((read(field) ?? '') === value) !== (operator === '=')) return false;
      }
      return true;
    },
    exactMatch: (field) => requirements.find((term) => term.field === field && term.operator === '=')?.value,
    toString: () =>
      requirements.map(({ field, operator, value }) => `${field}${operator}${escapeFieldValue(value)}`).join(','),
  };
}

export const everyField: FieldSelector = fieldSelectorOf([]);

/** Parses `metadata.name=a,status.phase!=Running`. Throws SelectorError with upstream's message. */
export function parseFieldSelector(text: string): FieldSelector {
  const terms = splitTerms(text);
  return terms.length === 0 ? everyField : fieldSelectorOf(terms.map((term) => parseTerm(term, text)));
}
