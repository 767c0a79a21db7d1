import { badRequest } from '../errors/index.ts';
import { orderColumn } from '../search/index.ts';

export interface Order {
  /** SQL of the column; never anything a client wrote. */
  readonly column: string;
  readonly direction: 'asc' | 'desc';
}

const form = /^([a-z_][a-z0-9_]*)(?:\s+(asc|desc))?$/;
const maxColumns = 10;

/** Reads `order=name asc,created_time desc`; the newest come first unless asked otherwise. */
export function parseOrder(values: readonly string[]): Order[] {
  const parts = values
    .flatMap((value) => value.split(','))
    .map((part) => part.trim())
    .filter((part) => part !== '');
  if (parts.length === 0) return [{ column: 'r.created_time', direction: 'desc' }];
  if (parts.length > maxColumns) throw badRequest(`order names more than ${maxColumns} fields`);
  return parts.map((part) => {
    const [, name, direction = 'asc'] = form.exec(part) ?? [];
    if (name === undefined) throw badRequest(`invalid order format '${part}': expected 'field' or 'field asc|desc'`);
    const column = orderColumn(name);
    if (column === undefined) throw badRequest(`cannot order by '${name}': there is no such field`);
    return { column, direction: direction as 'asc' | 'desc' };
  });
}

/** ORDER BY of a list. The id decides ties, so that pages neither repeat nor lose a row. */
export function orderSql(order: readonly Order[]): string {
  const last = order.at(-1)?.direction ?? 'asc';
  return [...order.map(({ column, direction }) => `${column} ${direction}`), `r.id ${last}`].join(', ');
}
