import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** Something to do at a time. Cancelled entries have no callback and are swept out now and then. */
export interface Delayed {
  readonly dueMs: number;
  callback: (() => void) | undefined;
}

/** The share of the last call-back in what is said of all of them. */
const latestWeighs = 0.1;
/** Whoever was asleep for hours is not busy for hours. */
const mostCountsMs = 500;

/** Any number of pending call-backs behind a single timer of the clock. */
export class DelayHeap {
  private readonly clock: Clock;
  private readonly heap: Delayed[] = [];
  private cancelled = 0;
  private armedFor = Number.POSITIVE_INFINITY;
  private disarm = () => {};
  private late = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** How many entries wait, cancelled ones included. */
  get size(): number {
    return this.heap.length;
  }

  /** By how much call-backs have come too late lately, in milliseconds: how far the process is behind its work. */
  get latenessMs(): number {
    return this.late;
  }

  /** Calls back after `ms`, unless the returned entry is cancelled. */
  after(ms: number, callback: () => void): Delayed {
    const entry: Delayed = { dueMs: this.clock.now() + Math.max(0, ms), callback };
    this.push(entry);
    this.arm();
    return entry;
  }

  cancel(entry: Delayed): void {
    if (!entry.callback) return;
    entry.callback = undefined;
    this.cancelled++;
    // Time limits are nearly always cancelled: without sweeping, the heap would be full of them.
    if (this.cancelled > 64 && this.cancelled > this.heap.length / 2) this.sweep();
  }

  private sweep(): void {
    const live = this.heap.filter((entry) => entry.callback).sort((a, b) => a.dueMs - b.dueMs);
    this.cancelled = 0;
    // A sorted array is a heap.
    this.heap.length = 0;
    for (const entry of live) this.heap.push(entry);
    this.arm();
  }

  private arm(): void {
    const first = this.heap[0];
    if (!first) {
      this.disarm();
      this.armedFor = Number.POSITIVE_INFINITY;
      return;
    }
    if (first.dueMs >= this.armedFor) return;
    this.disarm();
    this.armedFor = first.dueMs;
    this.disarm = this.clock.after(Math.max(0, first.dueMs - this.clock.now()), () => this.fire());
  }

  private fire(): void {
    const now = this.clock.now();
    this.late += (Math.min(mostCountsMs, Math.max(0, now - this.armedFor)) - this.late) * latestWeighs;
    this.armedFor = Number.POSITIVE_INFINITY;
    this.disarm = () => {};
    for (let first = this.heap[0]; first && (first.dueMs <= now || !first.callback); first = this.heap[0]) {
      this.pop();
      const { callback } = first;
      if (!callback) this.cancelled--;
      first.callback = undefined;
      callback?.();
    }
    this.arm();
  }

  private push(entry: Delayed): void {
    const { heap } = this;
    let i = heap.length;
    heap.push(entry);
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const above = heap[parent] as Delayed;
      if (above.dueMs <= entry.dueMs) break;
      heap[i] = above;
      i = parent;
    }
    heap[i] = entry;
  }

  private pop(): void {
    const { heap } = this;
    const last = heap.pop() as Delayed;
    const size = heap.length;
    if (size === 0) return;
    let i = 0;
    for (;;) {
      let child = 2 * i + 1;
      if (child >= size) break;
      if (child + 1 < size && (heap[child + 1] as Delayed).dueMs < (heap[child] as Delayed).dueMs) child++;
      if ((heap[child] as Delayed).dueMs >= last.dueMs) break;
      heap[i] = heap[child] as Delayed;
      i = child;
    }
    heap[i] = last;
  }
}

const heaps = new WeakMap<Clock, DelayHeap>();

/** The one heap of this process for a clock, shared by all queues of all tenants. */
export function sharedDelayHeap(clock: Clock): DelayHeap {
  let heap = heaps.get(clock);
  if (!heap) {
    heap = new DelayHeap(clock);
    heaps.set(clock, heap);
  }
  return heap;
}

/** A process that is behind by less than this keeps up; one that is behind by more than the other has no time at all. */
const keepsUpMs = 10;
const swampedMs = 50;

/**
 * How long something may wait that should wait for `ms` while the process keeps up, and at most for `busyMs` when it
 * does not: work that waits gathers, and what comes together is done at once.
 */
export function unhurriedMs(clock: Clock, ms: number, busyMs: number): number {
  const share = (sharedDelayHeap(clock).latenessMs - keepsUpMs) / (swampedMs - keepsUpMs);
  return ms + Math.max(0, busyMs - ms) * Math.min(1, Math.max(0, share));
}
