/** The database of the fleet's servers: one SQL code path over PGlite or PostgreSQL. */
export {
  type Database,
  isForeignKeyViolation,
  isStatementTimeout,
  isUnavailable,
  isUniqueViolation,
  type Queryable,
  type QueryResult,
} from './database.ts';
export { type Migration, migrate } from './migrate.ts';
export { openPglite, type PgliteOptions } from './pglite.ts';
export { openPostgres } from './postgres.ts';
