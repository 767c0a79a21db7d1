/** Time as a dependency, so that every decision about it can be tested without waiting. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once after `ms`; the returned function cancels. Never keeps the process alive by itself. */
  after(ms: number, callback: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callback) {
    const timer = setTimeout(callback, Math.min(ms, 0x7fffffff));
    timer.unref?.();
    return () => clearTimeout(timer);
  },
};

/** Resolves after `ms` on the given clock, or at once when the signal aborts. Check `signal.aborted` afterwards. */
export function delay(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      cancel();
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const cancel = clock.after(ms, finish);
    signal?.addEventListener('abort', finish, { once: true });
  });
}

/** RFC 3339 in UTC with second precision, as metav1.Time writes it. */
export function formatTime(ms: number): string {
  const second = Math.floor(ms / 1000);
  if (second !== formatted.second) formatted = { second, text: `${new Date(ms).toISOString().slice(0, 19)}Z` };
  return formatted.text;
}

/** A busy server asks for the same second thousands of times. */
let formatted = { second: Number.NaN, text: '' };

/** RFC 3339 in UTC with microseconds, as metav1.MicroTime writes it. */
export function formatMicroTime(ms: number): string {
  return `${new Date(ms).toISOString().slice(0, 23)}000Z`;
}

/** A clock that only moves when told to; for tests. */
export class ManualClock implements Clock {
  private time: number;
  private timers: { due: number; callback: () => void }[] = [];

  constructor(startMs = Date.UTC(2026, 0, 1)) {
    this.time = startMs;
  }

  now(): number {
    return this.time;
  }

  after(ms: number, callback: () => void): () => void {
    const timer = { due: this.time + ms, callback };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  }

  /** Moves time forward, firing due timers in order of their due time. */
  advance(ms: number): void {
    const end = this.time + ms;
    for (;;) {
      const next = this.timers.filter((timer) => timer.due <= end).sort((a, b) => a.due - b.due)[0];
      if (!next) break;
      this.timers = this.timers.filter((other) => other !== next);
      this.time = Math.max(this.time, next.due);
      next.callback();
    }
    this.time = end;
  }
}
