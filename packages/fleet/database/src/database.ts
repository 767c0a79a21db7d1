/** Rows of a statement. */
export interface QueryResult<Row> {
  readonly rows: readonly Row[];
  /** Rows a write touched. */
  readonly affected: number;
}

/** Something that runs one SQL statement with `$1` parameters. */
export interface Queryable {
  query<Row>(sql: string, parameters?: readonly unknown[]): Promise<QueryResult<Row>>;
}

/** The database behind the API. Both implementations speak PostgreSQL's SQL, so there is one code path above. */
export interface Database extends Queryable {
  /** Runs everything or nothing: commits when the work resolves, rolls back when it rejects. */
  transaction<T>(work: (tx: Queryable) => Promise<T>): Promise<T>;
  /** Rejects when the database does not answer. */
  ping(): Promise<void>;
  stats(): { readonly open: number; readonly inUse: number };
  /** Gives everything back; an embedded database keeps the process alive until then. */
  close(): Promise<void>;
}

const codeOf = (error: unknown): string | undefined => (error as { code?: string } | null)?.code;

export const isUniqueViolation = (error: unknown): boolean => codeOf(error) === '23505';
/** Newer servers have a code of their own for `on delete restrict`. */
export const isForeignKeyViolation = (error: unknown): boolean => ['23503', '23001'].includes(codeOf(error) ?? '');

/** Whether the database is out of reach (or going down), rather than unhappy with a statement. */
export function isUnavailable(error: unknown): boolean {
  const code = codeOf(error) ?? '';
  return (
    /^(08|57P|53)/.test(code) ||
    ['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH'].includes(code) ||
    /Connection terminated|timeout exceeded when trying to connect|pool after calling end|PGlite is closed/.test(
      error instanceof Error ? error.message : '',
    )
  );
}

/** Whether a statement was given up because it took longer than allowed. */
export const isStatementTimeout = (error: unknown): boolean => codeOf(error) === '57014';
