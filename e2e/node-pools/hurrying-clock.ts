import type { Clock } from '@hypershift-ts/kube-apimachinery';

/**
 * A clock that can be told to go faster than the real one. It begins an hour ago: certificates that are issued while it
 * hurries are still valid for TLS, which knows only real time.
 */
export class HurryingClock implements Clock {
  private realMs = Date.now();
  private ownMs = this.realMs - 3_600_000;
  private speed = 1;
  private readonly timers = new Set<{
    readonly dueMs: number;
    readonly callback: () => void;
    handle: NodeJS.Timeout;
  }>();

  now(): number {
    return Math.floor(this.ownMs + (Date.now() - this.realMs) * this.speed);
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { dueMs: this.now() + ms, callback, handle: undefined as unknown as NodeJS.Timeout };
    this.timers.add(timer);
    this.arm(timer);
    return () => {
      clearTimeout(timer.handle);
      this.timers.delete(timer);
    };
  }

  /** So many of its seconds pass in one real second from now on. */
  hurry(speed: number): void {
    this.ownMs = this.now();
    this.realMs = Date.now();
    this.speed = speed;
    for (const timer of this.timers) {
      clearTimeout(timer.handle);
      this.arm(timer);
    }
  }

  private arm(timer: { readonly dueMs: number; readonly callback: () => void; handle: NodeJS.Timeout }): void {
    const realMs = Math.min(Math.max(timer.dueMs - this.now(), 0) / this.speed, 0x7fffffff);
    timer.handle = setTimeout(() => {
      this.timers.delete(timer);
      timer.callback();
    }, realMs);
    timer.handle.unref();
  }
}
