import { type FieldProblem, invalid } from '../errors/index.ts';
import { maxSearchLength, parseSearch, type SearchNode } from '../search/index.ts';
import { type Order, parseOrder } from './order.ts';

/** What a list request asks for. */
export interface ListParams {
  readonly page: number;
  readonly size: number;
  readonly order: readonly Order[];
  readonly search?: SearchNode;
  /** Projection; undefined shows everything. */
  readonly fields?: readonly string[];
  readonly reference?: { readonly type: string; readonly targetId: string };
}

const maxPage = 100_000;
const maxSize = 100;

/** Reads the query of a list; every invalid value is named in one answer. */
export function listParams(query: URLSearchParams): ListParams {
  const problems: FieldProblem[] = [];
  const page = countParam(query, 'page', 1, maxPage, problems);
  const size = countParam(query, 'size', 20, maxSize, problems);
  const type = query.get('ref_type')?.trim() ?? '';
  const targetId = query.get('ref_target_id')?.trim() ?? '';
  if ((type === '') !== (targetId === '')) {
    const message = 'ref_type and ref_target_id must be provided together';
    problems.push({ field: type === '' ? 'ref_type' : 'ref_target_id', constraint: 'required', message });
  }
  const text = query.get('search')?.trim() ?? '';
  if (text.length > maxSearchLength) {
    const message = `search must be at most ${maxSearchLength} characters`;
    problems.push({ field: 'search', constraint: 'max_length', message });
  }
  if (problems.length > 0) throw invalid('Invalid query parameters', problems);
  const fields = fieldList(query);
  return {
    page,
    size,
    order: parseOrder(query.getAll('order')),
    ...(text === '' ? {} : { search: parseSearch(text) }),
    ...(fields ? { fields } : {}),
    ...(type === '' ? {} : { reference: { type, targetId } }),
  };
}

function countParam(
  query: URLSearchParams,
  field: string,
  fallback: number,
  max: number,
  problems: FieldProblem[],
): number {
  const text = query.get(field)?.trim() ?? '';
  if (text === '') return fallback;
  const value = Number(text);
  const refuse = (constraint: 'format' | 'min' | 'max', message: string) => {
    problems.push({ field, value: constraint === 'format' ? text : value, constraint, message });
    return fallback;
  };
  if (!/^[+-]?\d+$/.test(text)) return refuse('format', 'must be a valid integer');
  if (value < 1) return refuse('min', `${field} must be at least 1`);
  return value > max ? refuse('max', `${field} must be at most ${max}`) : value;
}

/** The projection a query asks for, `id` always among it; undefined when it asks for none. */
export function fieldList(query: URLSearchParams): string[] | undefined {
  const fields = query
    .getAll('fields')
    .flatMap((value) => value.split(','))
    .map((field) => field.trim())
    .filter((field) => field !== '');
  if (fields.length === 0) return undefined;
  return [...new Set(['id', ...fields])];
}
