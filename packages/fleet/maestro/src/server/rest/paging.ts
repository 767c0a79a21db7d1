import { MaestroError } from '../maestro-error.ts';

const largestPage = 65_500;

export interface Paging {
  readonly page: number;
  readonly size: number;
  /** A list of columns, checked: it goes into SQL as it is. */
  readonly order: string;
}

/** What the parameters of a list say; sizes beyond the limits are cut, as clients rely on. */
export function pagingOf(query: URLSearchParams, columns: readonly string[]): Paging {
  const page = integerOf(query, 'page', 1);
  const size = integerOf(query, 'size', 100);
  if (query.has('fields')) throw new MaestroError('badRequest', 'the parameter fields is not supported');
  return {
    page: Math.max(1, page),
    size: size < 0 || size > largestPage ? largestPage : size,
    order: orderOf(query.get('orderBy') ?? '', columns),
  };
}

function integerOf(query: URLSearchParams, name: string, fallback: number): number {
  const text = query.get(name);
  if (text === null || text === '') return fallback;
  if (!/^-?\d{1,9}$/.test(text)) throw new MaestroError('badRequest', `${name}=${text} is no number`);
  return Number(text);
}

function orderOf(text: string, columns: readonly string[]): string {
  const parts = text
    .split(',')
    .map((part) => part.trim().toLowerCase())
    .filter((part) => part !== '');
  const order = parts.map((part) => {
    const [column = '', direction = 'asc', ...rest] = part.split(/\s+/);
    if (!columns.includes(column) || !['asc', 'desc'].includes(direction) || rest.length > 0)
      throw new MaestroError(
        'badRequest',
        `orderBy ${JSON.stringify(part)} is not one of ${columns.join(', ')} [asc|desc]`,
      );
    return `${column} ${direction}`;
  });
  // Always down to a unique column, so that pages neither miss nor repeat.
  return [...order, 'created_at asc', 'id asc'].join(', ');
}
