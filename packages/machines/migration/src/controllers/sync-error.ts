import { type FieldError, isAlreadyExists, isConflict } from '@hypershift-ts/kube-apimachinery';
import type { Retry } from '@hypershift-ts/kube-controller';
import type { SyncFailure } from '../sync/synchronized.ts';

/** Why a pass could not make both copies agree, as the Synchronized condition tells it. */
export class SyncError extends Error {
  override readonly name = 'SyncError';
  readonly reason: SyncFailure;
  readonly retry: Retry;

  constructor(
    reason: SyncFailure,
    message: string,
    options: { readonly retry?: Retry; readonly cause?: unknown } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.reason = reason;
    this.retry = options.retry ?? 'backoff';
  }
}

/** Somebody else was quicker: nothing to tell anybody, only to look again. */
const isLostRace = (error: unknown) => isConflict(error) || isAlreadyExists(error);

/** Tells a write that was refused under this reason. */
export async function failingWith<T>(reason: SyncFailure, what: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (isLostRace(error) || error instanceof SyncError) throw error;
    throw new SyncError(reason, `${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
  }
}

/** All that is wrong with an object, in one line. */
export function listed(errors: readonly FieldError[]): string {
  const texts = errors.map(({ field, message }) => `${field}: ${message}`);
  return texts.length === 1 ? texts[0]! : `[${texts.join(', ')}]`;
}
