/** The database seam: one SQL code path over PGlite or PostgreSQL. */
export {
  type Database,
  isForeignKeyViolation,
  isStatementTimeout,
  isUnavailable,
  isUniqueViolation,
  type Queryable,
} from './database.ts';
export { migrate } from './migrate.ts';
export { migrations } from './migrations.ts';
export { openPglite } from './pglite.ts';
export { openPostgres } from './postgres.ts';
