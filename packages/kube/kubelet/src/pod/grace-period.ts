import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** The time containers have to stop. It can get shorter while it runs, never longer. */
export class GracePeriod {
  readonly expired: Promise<void>;
  private readonly clock: Clock;
  private end: () => void = () => {};
  private cancel: () => void = () => {};
  private deadlineMs = Number.POSITIVE_INFINITY;

  constructor(clock: Clock, ms: number) {
    this.clock = clock;
    this.expired = new Promise((resolve) => {
      this.end = resolve;
    });
    this.shorten(ms);
  }

  get remainingMs(): number {
    return Math.max(0, this.deadlineMs - this.clock.now());
  }

  shorten(ms: number): void {
    const deadline = this.clock.now() + ms;
    if (deadline >= this.deadlineMs) return;
    this.deadlineMs = deadline;
    this.cancel();
    if (ms <= 0) this.end();
    else this.cancel = this.clock.after(ms, () => this.end());
  }

  /** Gives the timer back. */
  close(): void {
    this.cancel();
  }
}
