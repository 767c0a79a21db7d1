import type { PGlite, Transaction } from '@electric-sql/pglite';
import type { Database, Queryable, QueryResult } from './database.ts';
import { lockDirectory } from './directory-lock.ts';

export interface PgliteOptions {
  /** Where the data lives; in memory when absent. One process may have it open. */
  readonly directory?: string;
}

async function run<Row>(
  on: PGlite | Transaction,
  sql: string,
  parameters: readonly unknown[],
): Promise<QueryResult<Row>> {
  const { rows, affectedRows } = await on.query<Row>(sql, [...parameters]);
  return { rows, affected: affectedRows ?? 0 };
}

/** PostgreSQL inside this process: nothing to install. It runs one statement (or transaction) at a time. */
export async function openPglite(options: PgliteOptions = {}): Promise<Database> {
  // 27 MB of WebAssembly that nobody loads who uses a server.
  const { PGlite } = await import('@electric-sql/pglite');
  const { directory } = options;
  const release = directory === undefined ? () => {} : lockDirectory(directory);
  let database: PGlite;
  try {
    database = await PGlite.create(directory === undefined ? {} : { dataDir: directory });
  } catch (error) {
    release();
    throw error;
  }
  return databaseOver(database, release);
}

function databaseOver(database: PGlite, release: () => void): Database {
  let inUse = 0;
  const counted = async <T>(work: () => Promise<T>): Promise<T> => {
    inUse = 1;
    try {
      return await work();
    } finally {
      inUse = 0;
    }
  };
  return {
    query: (sql, parameters = []) => counted(() => run(database, sql, parameters)),
    transaction: (work) =>
      counted(async () =>
        database.transaction((tx) => {
          const queryable: Queryable = { query: (sql, parameters = []) => run(tx, sql, parameters) };
          return work(queryable);
        }),
      ),
    async ping() {
      await database.query('select 1');
    },
    stats: () => ({ open: database.closed ? 0 : 1, inUse }),
    async close() {
      if (!database.closed) await database.close();
      release();
    },
  };
}
