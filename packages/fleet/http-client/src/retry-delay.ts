/** How waits between attempts grow. */
export type RetryBackoff = 'exponential' | 'linear' | 'constant';

export interface BackOffRule {
  readonly kind: RetryBackoff;
  readonly baseMs: number;
  readonly maxMs: number;
}

const JITTER = 0.1;

/** How long to wait after attempt number `attempt` (from 1) failed, give or take a tenth. */
export function retryDelay({ kind, baseMs, maxMs }: BackOffRule, attempt: number, random: () => number): number {
  const factor = kind === 'exponential' ? 2 ** Math.min(attempt - 1, 30) : kind === 'linear' ? attempt : 1;
  const wait = Math.min(baseMs * factor, maxMs);
  return wait * (1 - JITTER + 2 * JITTER * random());
}
