import { readFileSync } from 'node:fs';
import type { Client, ClientBase, Pool, PoolConfig } from 'pg';
import { type Clock, delay, errorMessage } from '@hypershift-ts/kube-apimachinery';
import type { Database, Queryable, QueryResult } from './database.ts';

interface PostgresOptions {
  readonly host: string;
  readonly port: number;
  readonly name: string;
  readonly username: string;
  readonly password?: string;
  readonly ssl?: { readonly mode: 'disable' | 'require' | 'verify-ca' | 'verify-full'; readonly rootCertFile?: string };
  readonly maxConnections?: number;
  readonly connMaxLifetimeMs?: number;
  readonly connMaxIdleMs?: number;
  readonly requestTimeoutMs?: number;
  readonly retry?: { readonly attempts: number; readonly intervalMs: number };
  readonly clock: Clock;
  readonly signal?: AbortSignal;
}

function sslOf({ ssl }: PostgresOptions): PoolConfig['ssl'] {
  if (!ssl || ssl.mode === 'disable') return false;
  const ca = ssl.rootCertFile ? { ca: readFileSync(ssl.rootCertFile, 'utf8') } : {};
  if (ssl.mode === 'require') return { rejectUnauthorized: false };
  if (ssl.mode === 'verify-full') return { ...ca, rejectUnauthorized: true };
  // verify-ca: the chain must be right, the name may differ.
  return { ...ca, rejectUnauthorized: true, checkServerIdentity: () => undefined };
}

async function run<Row>(on: Pool | ClientBase, sql: string, parameters: readonly unknown[]): Promise<QueryResult<Row>> {
  const { rows, rowCount } = await on.query(sql, [...parameters]);
  return { rows: rows as Row[], affected: rowCount ?? 0 };
}

/** A pool of connections to a PostgreSQL server; waits for the server as long as the retry options say. */
export async function openPostgres(options: PostgresOptions): Promise<Database> {
  const { default: pg } = await import('pg');
  const timeout = options.requestTimeoutMs ?? 30_000;
  const pool = new pg.Pool({
    host: options.host,
    port: options.port,
    database: options.name,
    user: options.username,
    ...(options.password === undefined ? {} : { password: options.password }),
    ssl: sslOf(options),
    max: options.maxConnections ?? 50,
    idleTimeoutMillis: options.connMaxIdleMs ?? 60_000,
    maxLifetimeSeconds: Math.ceil((options.connMaxLifetimeMs ?? 300_000) / 1000),
    connectionTimeoutMillis: timeout,
    statement_timeout: timeout,
    application_name: 'hyperfleet-api',
    allowExitOnIdle: true,
  });
  // An idle connection that breaks is replaced by the pool; without a listener it would end the process.
  pool.on('error', () => {});
  const database = databaseOver(pool);
  try {
    await waitFor(database, options);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function databaseOver(pool: Pool): Database {
  return {
    query: (sql, parameters = []) => run(pool, sql, parameters),
    async transaction(work) {
      for (let attempt = 1; ; attempt++) {
        try {
          return await transact(pool, work);
        } catch (error) {
          if (attempt >= maxAttempts || !isCollision(error)) throw error;
        }
      }
    },
    async ping() {
      await pool.query('select 1');
    },
    stats: () => ({ open: pool.totalCount, inUse: pool.totalCount - pool.idleCount }),
    close: () => pool.end(),
  };
}

/** Nobody did anything wrong: the server chose one of two that waited for each other. */
const isCollision = (error: unknown): boolean =>
  ['40001', '40P01'].includes((error as { code?: string } | null)?.code ?? '');
const maxAttempts = 3;

async function transact<T>(pool: Pool, work: (tx: Queryable) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  let broken: Error | undefined;
  try {
    await client.query('begin');
    const tx: Queryable = { query: (sql, parameters = []) => run(client, sql, parameters) };
    const result = await work(tx);
    await client.query('commit');
    return result;
  } catch (error) {
    broken = await rollback(client);
    throw error;
  } finally {
    client.release(broken);
  }
}

/** Rolls back; a connection that cannot even do that must not go back to the pool. */
async function rollback(client: Pick<Client, 'query'>): Promise<Error | undefined> {
  try {
    await client.query('rollback');
    return undefined;
  } catch (error) {
    return error as Error;
  }
}

async function waitFor(database: Database, options: PostgresOptions): Promise<void> {
  const { attempts, intervalMs } = options.retry ?? { attempts: 10, intervalMs: 3000 };
  for (let attempt = 1; ; attempt++) {
    try {
      return await database.ping();
    } catch (cause) {
      if (attempt >= attempts || options.signal?.aborted) {
        const { host, port, name } = options;
        throw new Error(
          `PostgreSQL at ${host}:${port} (database ${name}) did not answer after ${attempt} attempts: ${errorMessage(cause)}; check database.host, database.port and that the server runs`,
          { cause },
        );
      }
      await delay(options.clock, intervalMs, options.signal);
    }
  }
}
