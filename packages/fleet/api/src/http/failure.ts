import { isForeignKeyViolation, isStatementTimeout, isUnavailable } from '@hypershift-ts/fleet-database';
import { ApiError } from '../errors/index.ts';

/** Bad texts for a column, such as half of a surrogate pair, or for a pattern: the fault of who sent them. */
const isDataError = (error: unknown): boolean => (error as { code?: string } | null)?.code?.startsWith('22') === true;

/** Every failure as a problem. What went wrong inside is for the log, not for the client. */
export function failureOf(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (isStatementTimeout(error))
    return new ApiError('SVC-002', 'The database took too long; try again', { cause: error });
  if (isUnavailable(error)) return new ApiError('SVC-001', 'Database connection unavailable', { cause: error });
  if (isForeignKeyViolation(error))
    return new ApiError('CNF-003', 'Another resource refers to this one; try again', { cause: error });
  if (isDataError(error))
    return new ApiError('VAL-005', 'The request holds a value that the database cannot take', { cause: error });
  return new ApiError('INT-001', undefined, { cause: error });
}
