import type { StoreEvent } from './store.ts';

/** The events after the compacted revision, one for each revision without a hole, found by subtraction. */
export class EventLog {
  #events: StoreEvent[] = [];
  #firstRevision: number;

  constructor(firstRevision: number) {
    this.#firstRevision = firstRevision;
  }

  append(event: StoreEvent): void {
    this.#events.push(event);
  }

  /** Calls back for each event after `revision`, oldest first. */
  forEachAfter(revision: number, visit: (event: StoreEvent) => void): void {
    const from = Math.max(0, revision + 1 - this.#firstRevision);
    for (let i = from; i < this.#events.length; i++) visit(this.#events[i] as StoreEvent);
  }

  /** Drops the events up to `revision`, telling each one to the callback first. */
  dropThrough(revision: number, visit: (event: StoreEvent) => void): void {
    const count = Math.min(this.#events.length, Math.max(0, revision + 1 - this.#firstRevision));
    for (let i = 0; i < count; i++) visit(this.#events[i] as StoreEvent);
    this.#events = this.#events.slice(count);
    this.#firstRevision += count;
  }
}
