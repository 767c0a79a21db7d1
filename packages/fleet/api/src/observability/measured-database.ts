import type { Database, Queryable } from '@hypershift-ts/fleet-database';

type Observe = (sql: string, seconds: number, failed: boolean) => void;

/** The same database, with every statement timed. */
export function measuredDatabase(database: Database, observe: Observe, now: () => number): Database {
  const measured = (on: Queryable): Queryable => ({
    async query(sql, parameters) {
      const start = now();
      let failed = true;
      try {
        const result = await on.query<never>(sql, parameters);
        failed = false;
        return result;
      } finally {
        observe(sql, (now() - start) / 1000, failed);
      }
    },
  });
  return {
    ...measured(database),
    transaction: (work) => database.transaction((tx) => work(measured(tx))),
    ping: () => database.ping(),
    stats: () => database.stats(),
    close: () => database.close(),
  };
}
