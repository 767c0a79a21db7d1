import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import { DatabaseFailure } from './worker-host.ts';

/** Why a database file cannot be used. */
export type StoreOpenReason = 'in-use' | 'damaged' | 'not-a-store' | 'other-version' | 'unreadable' | 'exists';

/** A database file cannot be opened or made; the message says what to do about it. */
export class StoreOpenError extends Error {
  override readonly name = 'StoreOpenError';
  readonly reason: StoreOpenReason;

  constructor(reason: StoreOpenReason, message: string, options?: ErrorOptions) {
    super(message, options);
    this.reason = reason;
  }
}

/** The error for a failed opening, in words for the person who started the program. */
export function openErrorFor(file: string, cause: unknown): StoreOpenError {
  const detail = errorMessage(cause);
  const code = cause instanceof DatabaseFailure ? cause.code : '';
  const error = (reason: StoreOpenReason, what: string) =>
    new StoreOpenError(reason, `store ${file} ${what} (${detail})`, { cause });
  if (code.startsWith('SQLITE_BUSY') || code.startsWith('SQLITE_LOCKED')) {
    return error('in-use', 'is in use: stop the other process that has it open, or choose another data directory');
  }
  if (code.startsWith('SQLITE_CORRUPT') || code === 'STORE_DAMAGED') {
    return error('damaged', 'is damaged: restore a snapshot, or move the file away to start empty');
  }
  if (code === 'SQLITE_NOTADB' || code === 'STORE_FOREIGN') {
    return error('not-a-store', 'is not a store of this program: choose another data directory, or move the file away');
  }
  if (code === 'STORE_FORMAT') {
    return error('other-version', 'was written by another version: open it with that version');
  }
  return error('unreadable', 'cannot be opened: check that the directory exists, has space and belongs to this user');
}
