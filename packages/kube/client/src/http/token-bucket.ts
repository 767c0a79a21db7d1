import type { Clock } from '@hypershift-ts/kube-apimachinery';

export interface RequestRate {
  /** Sustained requests per second... */
  readonly perSecond: number;
  /** ...and how many may come at once. */
  readonly burst: number;
}

/** Answers how long the next request has to wait so that the rate holds. */
export class TokenBucket {
  private readonly rate: RequestRate;
  private readonly clock: Clock;
  private tokens: number;
  private refilledAtMs: number;

  constructor(rate: RequestRate, clock: Clock) {
    this.rate = rate;
    this.clock = clock;
    this.tokens = rate.burst;
    this.refilledAtMs = clock.now();
  }

  reserve(): number {
    const { perSecond, burst } = this.rate;
    const now = this.clock.now();
    this.tokens = Math.min(burst, this.tokens + ((now - this.refilledAtMs) / 1000) * perSecond) - 1;
    this.refilledAtMs = now;
    return this.tokens >= 0 ? 0 : (-this.tokens / perSecond) * 1000;
  }
}
