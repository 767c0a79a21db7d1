import type { Clock } from '@hypershift-ts/kube-apimachinery';

/** A version of a key and when it is to vanish. */
export interface Deadline {
  readonly dueMs: number;
  readonly key: string;
  /** The version that carries the deadline; a later put makes it void. */
  readonly modRevision: number;
}

/** All deadlines of a store behind one timer: a binary heap, earliest first. */
export class ExpiryQueue {
  readonly #clock: Clock;
  readonly #onDue: (deadline: Deadline) => void;
  #heap: Deadline[] = [];
  #timer: { readonly dueMs: number; readonly cancel: () => void } | undefined;

  constructor(clock: Clock, onDue: (deadline: Deadline) => void) {
    this.#clock = clock;
    this.#onDue = onDue;
  }

  add(deadline: Deadline): void {
    const heap = this.#heap;
    let at = heap.length;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if ((heap[parent] as Deadline).dueMs <= deadline.dueMs) break;
      heap[at] = heap[parent] as Deadline;
      at = parent;
    }
    heap[at] = deadline;
    this.#arm();
  }

  get size(): number {
    return this.#heap.length;
  }

  /** Forgets all deadlines but these. */
  replaceBy(deadlines: Iterable<Deadline>): void {
    // A sorted list is a heap.
    this.#heap = [...deadlines].sort((a, b) => a.dueMs - b.dueMs);
  }

  close(): void {
    this.#heap = [];
    this.#timer?.cancel();
    this.#timer = undefined;
  }

  #arm(): void {
    const first = this.#heap[0];
    if (!first || (this.#timer && this.#timer.dueMs <= first.dueMs)) return;
    this.#timer?.cancel();
    const wait = Math.max(0, first.dueMs - this.#clock.now());
    this.#timer = { dueMs: first.dueMs, cancel: this.#clock.after(wait, () => this.#fire()) };
  }

  #fire(): void {
    this.#timer = undefined;
    const now = this.#clock.now();
    for (let first = this.#heap[0]; first && first.dueMs <= now; first = this.#heap[0]) {
      this.#removeFirst();
      this.#onDue(first);
    }
    this.#arm();
  }

  #removeFirst(): void {
    const heap = this.#heap;
    const last = heap.pop() as Deadline;
    if (heap.length === 0) return;
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= heap.length) break;
      if (child + 1 < heap.length && (heap[child + 1] as Deadline).dueMs < (heap[child] as Deadline).dueMs) child++;
      if ((heap[child] as Deadline).dueMs >= last.dueMs) break;
      heap[at] = heap[child] as Deadline;
      at = child;
    }
    heap[at] = last;
  }
}
