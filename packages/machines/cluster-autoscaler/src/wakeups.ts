import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** One alarm for everything that wants to be looked at; the earliest wish counts. */
export class Wakeups {
  private readonly clock: Clock;
  private readonly signal: AbortSignal;
  private dueMs = Number.POSITIVE_INFINITY;
  private cancel: (() => void) | undefined;
  private ring: (() => void) | undefined;

  constructor(clock: Clock, signal: AbortSignal) {
    this.clock = clock;
    this.signal = signal;
    signal.addEventListener('abort', () => this.fire(), { once: true });
  }

  /** Somebody wants a look within so many milliseconds. */
  within(ms: number): void {
    const due = this.clock.now() + ms;
    if (due >= this.dueMs) return;
    this.dueMs = due;
    if (this.ring) this.arm();
  }

  /** Waits for the next alarm; false when there will be none. */
  async next(): Promise<boolean> {
    if (!this.signal.aborted) {
      await new Promise<void>((resolve) => {
        this.ring = resolve;
        if (Number.isFinite(this.dueMs)) this.arm();
      });
    }
    return !this.signal.aborted;
  }

  private arm(): void {
    this.cancel?.();
    this.cancel = this.clock.after(Math.max(this.dueMs - this.clock.now(), 0), () => this.fire());
  }

  private fire(): void {
    const { ring } = this;
    this.cancel?.();
    this.cancel = undefined;
    this.ring = undefined;
    this.dueMs = Number.POSITIVE_INFINITY;
    ring?.();
  }
}
