import { isConflict } from '@hypershift-ts/kube-apimachinery';

/** How soon a failed attempt is worth repeating. */
export type Retry = 'now' | 'backoff' | 'after-user-change' | 'never';

/** A failure that trying again cannot cure: the key waits for the next change of its object. */
export class TerminalError extends Error {
  override readonly name: string = 'TerminalError';
  readonly retry: Retry = 'after-user-change';
}

/** Reads the `retry` of an error that carries one; a lost optimistic lock is worth repeating at once. */
export function retryOf(error: unknown): Retry {
  if (isConflict(error)) return 'now';
  if (typeof error !== 'object' || error === null || !('retry' in error)) return 'backoff';
  const { retry } = error;
  return retry === 'now' || retry === 'after-user-change' || retry === 'never' ? retry : 'backoff';
}
