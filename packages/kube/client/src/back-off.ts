import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** A source of numbers in [0, 1), injected so that jitter can be tested. */
export type Random = () => number;

export interface BackOffOptions {
  readonly initialMs: number;
  readonly maxMs: number;
  readonly factor: number;
  /** Each delay is stretched by up to this fraction of itself, so that many clients do not return together. */
  readonly jitter: number;
  /** After this long without a failure the next delay starts from the beginning. */
  readonly resetAfterMs: number;
}

/** Growing, jittered delays between attempts at one thing. */
export class BackOff {
  private readonly options: BackOffOptions;
  private readonly clock: Clock;
  private readonly random: Random;
  private current = 0;
  private lastFailure = Number.NEGATIVE_INFINITY;

  constructor(options: BackOffOptions, clock: Clock, random: Random) {
    this.options = options;
    this.clock = clock;
    this.random = random;
  }

  /** How long to wait after the failure that just happened. */
  next(): number {
    const { initialMs, maxMs, factor, jitter, resetAfterMs } = this.options;
    const now = this.clock.now();
    const fresh = this.current === 0 || now - this.lastFailure > resetAfterMs;
    this.current = fresh ? initialMs : Math.min(this.current * factor, maxMs);
    const wait = this.current * (1 + jitter * this.random());
    // The time spent waiting does not count as time without failure.
    this.lastFailure = now + wait;
    return wait;
  }

  reset(): void {
    this.current = 0;
  }
}
