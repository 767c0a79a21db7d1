/** The database seam: one SQL code path over PGlite or PostgreSQL. */
export {
  type Database,
  isForeignKeyViolation,
  isStatementTimeout,
  isUnavailable,
  isUniqueViolation,
  type Queryable,
  type QueryResult,
} from './database.ts';
export { migrate } from './migrate.ts';
export { type Migration, migrations } from './migrations.ts';
export { openPglite, type PgliteOptions } from './pglite.ts';
export { openPostgres, type PostgresOptions } from './postgres.ts';
