import { badRequest } from '../errors/index.ts';
import { parseInstant } from '../instant.ts';
import type { Literal } from './ast.ts';
import type { Parameters } from './parameters.ts';

/** What a name in a search stands for. */
export type SearchField =
  | { readonly kind: 'text' | 'number' | 'time'; readonly sql: string }
  | { readonly kind: 'label'; readonly key: string }
  | { readonly kind: 'spec'; readonly path: readonly string[] }
  | { readonly kind: 'condition'; readonly type: string }
  | { readonly kind: 'condition-time' | 'condition-number'; readonly type: string; readonly column: string };

const texts = ['id', 'name', 'kind', 'href', 'created_by', 'updated_by', 'deleted_by'];
const owners = ['owner_id', 'owner_kind', 'owner_href'];
const times = ['created_time', 'updated_time', 'deleted_time'];

const columns = new Map<string, SearchField>([['generation', { kind: 'number', sql: 'r.generation' }]]);
for (const column of [...texts, ...owners]) columns.set(column, { kind: 'text', sql: `r.${column}` });
for (const column of times) columns.set(column, { kind: 'time', sql: `r.${column}` });

/** Columns a list may be ordered by, and their SQL. */
export function orderColumn(name: string): string | undefined {
  const column = columns.get(name);
  return column && 'sql' in column ? column.sql : undefined;
}

const conditionType = /^[A-Z][a-zA-Z0-9]*$/;
const specKey = /^[A-Za-z0-9_-]+$/;
const labelKey = /^[A-Za-z0-9._/-]{1,255}$/;

export function fieldOf(name: string): SearchField {
  const column = columns.get(name);
  if (column) return column;
  if (name.startsWith('labels.')) {
    const key = name.slice('labels.'.length);
    if (labelKey.test(key)) return { kind: 'label', key };
  } else if (name.startsWith('spec.')) {
    const path = name.slice('spec.'.length).split('.');
    if (path.every((key) => specKey.test(key))) return { kind: 'spec', path };
  } else if (name.startsWith('status.conditions.')) {
    return conditionField(name, name.slice('status.conditions.'.length).split('.'));
  }
  throw badRequest(`${name} is not a valid field name`);
}

function conditionField(name: string, [type = '', column, ...rest]: readonly string[]): SearchField {
  if (!conditionType.test(type))
    throw badRequest(`condition type '${type}' in '${name}' must be written in PascalCase, as in Reconciled`);
  if (column === undefined) return { kind: 'condition', type };
  if (rest.length === 0) {
    if (column === 'last_updated_time' || column === 'last_transition_time')
      return { kind: 'condition-time', type, column };
    if (column === 'observed_generation') return { kind: 'condition-number', type, column };
  }
  throw badRequest(
    `'${name}': a condition can be searched by last_updated_time, last_transition_time and observed_generation`,
  );
}

/** A literal as a parameter of the type its field has; another kind of literal is a 400. */
export function literalFor(
  name: string,
  type: 'text' | 'number' | 'time',
  literal: Literal,
  parameters: Parameters,
): string {
  if (type === 'text') {
    if (literal.kind !== 'string') throw badRequest(`field '${name}' needs a string in single quotes`);
    if (literal.value.includes('\0')) throw badRequest(`field '${name}' cannot be compared with a NUL character`);
    return `${parameters.add(literal.value)}::text`;
  }
  if (type === 'number') {
    if (literal.kind !== 'number') throw badRequest(`field '${name}' needs a number without quotes`);
    return `${parameters.add(literal.value)}::numeric`;
  }
  const time = literal.kind === 'string' ? parseInstant(literal.value) : undefined;
  if (time === undefined)
    throw badRequest(`field '${name}' needs a time as in RFC 3339, for example '2026-01-01T00:00:00Z'`);
  return `${parameters.add(time)}::timestamptz`;
}
