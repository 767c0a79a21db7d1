import type { StoreEvent } from './store.ts';

/** The events after the compacted revision, one for each revision without a hole, found by subtraction. */
export class EventLog {
  #events: StoreEvent[] = [];
  #head = 0;
  #firstRevision: number;

  constructor(firstRevision: number) {
    this.#firstRevision = firstRevision;
  }

  append(event: StoreEvent): void {
    this.#events.push(event);
  }

  /** Calls back for each event after `revision`, oldest first. */
  forEachAfter(revision: number, visit: (event: StoreEvent) => void): void {
    const from = this.#head + Math.max(0, revision + 1 - this.#firstRevision);
    for (let i = from; i < this.#events.length; i++) visit(this.#events[i] as StoreEvent);
  }

  /** Drops the events up to `revision`, telling each one to the callback first. */
  dropThrough(revision: number, visit: (event: StoreEvent) => void): void {
    while (this.#head < this.#events.length && this.#firstRevision <= revision) {
      visit(this.#events[this.#head] as StoreEvent);
      this.#head++;
      this.#firstRevision++;
    }
    // Dropped slots still hold their events: let go of them at once, it is a copy of what remains only.
    this.#events = this.#events.slice(this.#head);
    this.#head = 0;
  }
}
