import type { Database } from './database.ts';

/** One step of a schema; never changed once released. */
export interface Migration {
  readonly id: string;
  readonly statements: readonly string[];
}

/** FNV-1a of `migrations` and `Migrations`: the lock upstream's servers take, too. */
const lock = [457026696, -1494325336];
const lockWaitMs = 5 * 60_000;

/**
 * Brings the schema up to date and says which steps it took. Servers that start together take turns: a lock holds
 * the others for at most five minutes, and each step is done once.
 */
export async function migrate(database: Database, steps: readonly Migration[]): Promise<string[]> {
  return database.transaction(async (tx) => {
    await tx.query(`set local lock_timeout = ${lockWaitMs}`);
    await tx.query(`set local statement_timeout = ${lockWaitMs}`);
    await tx.query('select pg_advisory_xact_lock($1::int, $2::int)', lock);
    await tx.query('create table if not exists migrations (id varchar(255) primary key)');
    const { rows } = await tx.query<{ id: string }>('select id from migrations');
    const done = new Set(rows.map((row) => row.id));
    const taken: string[] = [];
    for (const { id, statements } of steps) {
      if (done.has(id)) continue;
      for (const statement of statements) await tx.query(statement);
      await tx.query('insert into migrations (id) values ($1)', [id]);
      taken.push(id);
    }
    return taken;
  });
}
