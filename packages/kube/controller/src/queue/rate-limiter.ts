import type { Clock } from '@hypershift-ts/kube-apimachinery';
import type { Random } from '@hypershift-ts/kube-client';

export interface RateLimitOptions {
  /** First delay of a failing key. */
  readonly baseMs?: number;
  /** Longest delay of a failing key. */
  readonly maxMs?: number;
  /** Each delay is stretched by up to this fraction of itself. */
  readonly jitter?: number;
  /** Retries per second over all keys together, and how many may come at once. */
  readonly perSecond?: number;
  readonly burst?: number;
}

/** How long a key that failed has to wait: exponential per key, and never faster than the overall token bucket. */
export class RateLimiter {
  private readonly baseMs: number;
  private readonly maxMs: number;
  private readonly jitter: number;
  private readonly perSecond: number;
  private readonly burst: number;
  private readonly clock: Clock;
  private readonly random: Random;
  private readonly failures = new Map<string, number>();
  private tokens: number;
  private refilledAt: number;

  constructor(options: RateLimitOptions, clock: Clock, random: Random) {
    this.baseMs = options.baseMs ?? 5;
    this.maxMs = options.maxMs ?? 1_000_000;
    this.jitter = options.jitter ?? 0.1;
    this.perSecond = options.perSecond ?? 10;
    this.burst = options.burst ?? 100;
    this.clock = clock;
    this.random = random;
    this.tokens = this.burst;
    this.refilledAt = clock.now();
  }

  /** Counts a failure of the key and answers its delay. */
  nextDelay(key: string): number {
    const failed = this.failures.get(key) ?? 0;
    this.failures.set(key, failed + 1);
    const exponential = Math.min(this.baseMs * 2 ** Math.min(failed, 60), this.maxMs);
    return Math.max(exponential * (1 + this.jitter * this.random()), this.reserve());
  }

  failuresOf(key: string): number {
    return this.failures.get(key) ?? 0;
  }

  forget(key: string): void {
    this.failures.delete(key);
  }

  /** Takes a token, borrowing from the future when there is none, and answers how far in the future it lies. */
  private reserve(): number {
    const now = this.clock.now();
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.refilledAt) / 1000) * this.perSecond);
    this.refilledAt = now;
    this.tokens -= 1;
    return this.tokens >= 0 ? 0 : (-this.tokens / this.perSecond) * 1000;
  }
}
