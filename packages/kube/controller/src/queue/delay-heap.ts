import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** Something to do at a time. Cancelled entries have no callback and are swept out now and then. */
export interface Delayed {
  readonly dueMs: number;
  callback: (() => void) | undefined;
}

/** Any number of pending call-backs behind a single timer of the clock. */
export class DelayHeap {
  private readonly clock: Clock;
  private readonly heap: Delayed[] = [];
  private cancelled = 0;
  private armedFor = Number.POSITIVE_INFINITY;
  private disarm = () => {};

  constructor(clock: Clock) {
    this.clock = clock;
  }

  /** How many entries wait, cancelled ones included. */
  get size(): number {
    return this.heap.length;
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
    this.armedFor = Number.POSITIVE_INFINITY;
    this.disarm = () => {};
    const now = this.clock.now();
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
