import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Random } from '@hypershift-ts/kube-client';
import type { DelayHeap, Delayed } from './delay-heap.ts';
import { sharedDelayHeap, unhurriedMs } from './delay-heap.ts';
import type { RateLimitOptions } from './rate-limiter.ts';
import { RateLimiter } from './rate-limiter.ts';

/** `normal` is what somebody just changed; `low` is what merely exists (first list, resync). */
export type Priority = 'high' | 'normal' | 'low';

const order = ['high', 'normal', 'low'] as const satisfies readonly Priority[];
/** Every so many takes the order is turned round, so that a busy system still gets to its low priority keys. */
const fairnessInterval = 16;

/** Where the process cannot keep up, what gathers may do so for a second, and what may wait longer in proportion. */
function longestGatherMs(gatherMs: number): number {
  return Math.min(10_000, Math.max(1000, 5 * gatherMs));
}

/** What a queue reports; implemented by the metrics module. */
export interface QueueObserver {
  added(priority: Priority): void;
  retried(): void;
  /** The key left the queue after waiting this long. */
  taken(priority: Priority, waitedMs: number): void;
  finished(workedMs: number): void;
}

export interface WorkQueueOptions {
  readonly clock?: Clock;
  readonly random?: Random;
  readonly rateLimit?: RateLimitOptions;
  /** A key that was added while being worked on waits this long, so that more of its changes are met at once. */
  readonly gatherMs?: number;
  readonly observer?: QueueObserver;
  /** Called whenever a key becomes available. */
  readonly onReady?: () => void;
}

interface Waiting {
  priority: Priority;
  since: number;
}

/**
 * Keys to work on: each at most once in the queue, never handed out twice at a time, and put back when it was added
 * while being worked on.
 */
export class WorkQueue {
  private readonly clock: Clock;
  private readonly heap: DelayHeap;
  private readonly limiter: RateLimiter;
  private readonly observer: QueueObserver | undefined;
  private readonly onReady: () => void;
  private readonly gatherMs: number;
  private readonly waiting = new Map<string, Waiting>();
  /** Insertion-ordered sets serve as FIFO queues from whose middle a key can be removed. */
  private readonly ready: Record<Priority, Set<string>> = { high: new Set(), normal: new Set(), low: new Set() };
  private readonly working = new Map<string, number>();
  private readonly again = new Map<string, Priority>();
  private readonly delayed = new Map<string, Delayed>();
  /** Keys that wait for company until their time at the latest. */
  private readonly gathering = new Map<string, Delayed>();
  private takes = 0;
  private closed = false;

  constructor(options: WorkQueueOptions = {}) {
    this.clock = options.clock ?? systemClock;
    this.heap = sharedDelayHeap(this.clock);
    this.limiter = new RateLimiter(options.rateLimit ?? {}, this.clock, options.random ?? Math.random);
    this.observer = options.observer;
    this.onReady = options.onReady ?? (() => {});
    this.gatherMs = options.gatherMs ?? 0;
  }

  /** Keys that could be taken now. */
  get depth(): number {
    return this.waiting.size;
  }

  /** Keys being worked on. */
  get active(): number {
    return this.working.size;
  }

  /** Keys waiting for their time. */
  get pending(): number {
    return this.delayed.size + this.gathering.size;
  }

  /** Adds a key; one that waits already only rises in priority. */
  add(key: string, priority: Priority = 'normal'): void {
    if (this.closed) return;
    if (this.working.has(key)) {
      const marked = this.again.get(key);
      if (!marked || isHigher(priority, marked)) this.again.set(key, priority);
      return;
    }
    const known = this.waiting.get(key);
    if (known) {
      if (!isHigher(priority, known.priority)) return;
      this.ready[known.priority].delete(key);
      this.ready[priority].add(key);
      this.observer?.taken(known.priority, 0);
      this.observer?.added(priority);
      known.priority = priority;
      return;
    }
    this.waiting.set(key, { priority, since: this.clock.now() });
    this.ready[priority].add(key);
    this.observer?.added(priority);
    this.onReady();
  }

  /** Adds a key after a while. When it waits for its time already, the earlier time holds. */
  addAfter(key: string, ms: number, priority: Priority = 'normal'): void {
    if (this.closed) return;
    if (ms <= 0) return this.add(key, priority);
    const known = this.delayed.get(key);
    if (known) {
      if (known.dueMs <= this.clock.now() + ms) return;
      this.heap.cancel(known);
    }
    const entry = this.heap.after(ms, () => {
      this.delayed.delete(key);
      this.add(key, priority);
    });
    this.delayed.set(key, entry);
  }

  /** Adds a key soon: work on it that begins before its time, for whatever reason, serves this one, too. */
  addWithin(key: string, gatherMs: number, priority: Priority = 'normal'): void {
    if (this.closed) return;
    if (gatherMs <= 0 || this.waiting.has(key)) return this.add(key, priority);
    const ms = unhurriedMs(this.clock, gatherMs, longestGatherMs(gatherMs));
    const known = this.gathering.get(key);
    if (known) {
      if (known.dueMs <= this.clock.now() + ms) return;
      this.heap.cancel(known);
    }
    const entry = this.heap.after(ms, () => {
      this.gathering.delete(key);
      this.add(key, priority);
    });
    this.gathering.set(key, entry);
  }

  /** The key is not to be added later any more. */
  cancelDelayed(key: string): void {
    const entry = this.delayed.get(key);
    if (!entry) return;
    this.delayed.delete(key);
    this.heap.cancel(entry);
  }

  /** Adds a key that failed, after its back-off, and answers the delay. */
  addRateLimited(key: string, priority: Priority = 'normal'): number {
    const wait = this.limiter.nextDelay(key);
    this.observer?.retried();
    this.addAfter(key, wait, priority);
    return wait;
  }

  failuresOf(key: string): number {
    return this.limiter.failuresOf(key);
  }

  /** The key is well again: its next failure starts with a short delay. */
  forget(key: string): void {
    this.limiter.forget(key);
  }

  /** The next key to work on, or undefined. Every key taken must be given back with done(). */
  take(): { readonly key: string; readonly priority: Priority } | undefined {
    if (this.closed || this.waiting.size === 0) return undefined;
    const upsideDown = ++this.takes % fairnessInterval === 0;
    for (let i = 0; i < order.length; i++) {
      const priority = order[upsideDown ? order.length - 1 - i : i] as Priority;
      const first = this.ready[priority].values().next();
      if (first.done) continue;
      const key = first.value;
      this.ready[priority].delete(key);
      const entry = this.waiting.get(key);
      this.waiting.delete(key);
      this.stopGathering(key);
      const now = this.clock.now();
      this.working.set(key, now);
      this.observer?.taken(priority, now - (entry?.since ?? now));
      return { key, priority };
    }
    return undefined;
  }

  /** The work on a key ended; if it was added meanwhile it is available again, or soon. */
  done(key: string): void {
    const since = this.working.get(key);
    if (since === undefined) return;
    this.working.delete(key);
    this.observer?.finished(this.clock.now() - since);
    const priority = this.again.get(key);
    if (priority === undefined) return;
    this.again.delete(key);
    this.addWithin(key, this.gatherMs, priority);
  }

  /** How long the present work has been going on, in milliseconds: all of it, and the longest. */
  unfinished(): { readonly totalMs: number; readonly longestMs: number } {
    const now = this.clock.now();
    let totalMs = 0;
    let longestMs = 0;
    for (const since of this.working.values()) {
      totalMs += now - since;
      longestMs = Math.max(longestMs, now - since);
    }
    return { totalMs, longestMs };
  }

  /** Accepts and hands out nothing any more; drops what waits. Work in progress may still call done(). */
  close(): void {
    this.closed = true;
    for (const [, { priority }] of this.waiting) this.observer?.taken(priority, 0);
    this.waiting.clear();
    for (const priority of order) this.ready[priority].clear();
    for (const entry of [...this.delayed.values(), ...this.gathering.values()]) this.heap.cancel(entry);
    this.delayed.clear();
    this.gathering.clear();
    this.again.clear();
  }

  private stopGathering(key: string): void {
    const entry = this.gathering.get(key);
    if (!entry) return;
    this.gathering.delete(key);
    this.heap.cancel(entry);
  }
}

function isHigher(a: Priority, b: Priority): boolean {
  return order.indexOf(a) < order.indexOf(b);
}
