/** How long failed events wait. */
export interface RedeliveryRule {
  readonly initialMs: number;
  readonly maxMs: number;
  /** Deliveries in all before an event is given up. */
  readonly maxAttempts: number;
}

/** The waits of the error contract: from one second up to a minute. */
export const defaultRedelivery: RedeliveryRule = { initialMs: 1000, maxMs: 60_000, maxAttempts: 5 };

/** The wait after delivery number `attempt` (from 1) failed. */
export function redeliveryDelay({ initialMs, maxMs }: RedeliveryRule, attempt: number): number {
  return Math.min(maxMs, initialMs * 2 ** Math.min(attempt - 1, 30));
}

const mostRemembered = 10_000;

/** Counts deliveries of events for brokers that do not count them. Forgets the oldest when there are too many. */
export class DeliveryCounts {
  private readonly counts = new Map<string, number>();

  next(id: string): number {
    const count = (this.counts.get(id) ?? 0) + 1;
    this.counts.delete(id);
    this.counts.set(id, count);
    for (const oldest of this.counts.keys()) {
      if (this.counts.size <= mostRemembered) break;
      this.counts.delete(oldest);
    }
    return count;
  }

  forget(id: string): void {
    this.counts.delete(id);
  }
}
