import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { type Deadline, ExpiryQueue } from './expiry.ts';
import type { Mvcc } from './mvcc.ts';
import { encodeSnapshot } from './snapshot.ts';
import {
  type CommitResult,
  type Delete,
  type Entry,
  type Put,
  type RangeOptions,
  type RangeResult,
  type Store,
  type StoreEvent,
  StoreUnavailableError,
  type WatchHandle,
  type WatchOptions,
} from './store.ts';
import { WatchHub } from './watch-hub.ts';

/** Sweeping for fewer is not worth it. */
const voidDeadlinesKept = 64;

/** A store that holds all its data in memory and answers reads and watches from there; where writes go is the subclass's. */
export abstract class ResidentStore implements Store {
  protected readonly clock: Clock;
  protected readonly mvcc: Mvcc;
  readonly #hub: WatchHub;
  #expiry: ExpiryQueue | undefined;
  #deadlines: Map<string, Deadline> | undefined;
  #closed = false;

  constructor(clock: Clock, mvcc: Mvcc) {
    this.clock = clock;
    this.mvcc = mvcc;
    this.#hub = new WatchHub(mvcc, clock);
  }

  abstract commit(operation: Put | Delete): Promise<CommitResult>;
  abstract compact(revision: number): Promise<void>;

  async currentRevision(): Promise<number> {
    return this.mvcc.revision;
  }

  async get(key: string, revision?: number): Promise<{ readonly entry?: Entry; readonly revision: number }> {
    this.requireOpen();
    const entry = this.mvcc.get(key, revision);
    return entry ? { entry, revision: this.mvcc.revision } : { revision: this.mvcc.revision };
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    this.requireOpen();
    return this.mvcc.range(options);
  }

  watch(options: WatchOptions): WatchHandle {
    this.requireOpen();
    return this.#hub.watch(options);
  }

  async compactedRevision(): Promise<number> {
    return this.mvcc.compactedRevision;
  }

  async snapshot(): Promise<Uint8Array> {
    this.requireOpen();
    const { entries, revision } = this.mvcc.range({ start: '', end: '\0' });
    const deadlines = this.#deadlines && new Map(this.#deadlines);
    return encodeSnapshot(revision, entries, (entry) => deadlines?.get(entry.key)?.dueMs);
  }

  size(): number {
    return this.mvcc.size;
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    this.#expiry?.close();
    this.#hub.endAll(new StoreUnavailableError('the store was closed'));
  }

  /** Takes note of deadlines and tells the watches; for events just written to memory, in revision order. */
  protected committed(events: readonly StoreEvent[], dueMs: (index: number) => number | undefined): void {
    for (const [index, event] of events.entries()) {
      const due = event.type === 'put' ? dueMs(index) : undefined;
      if (event.type === 'put' && due !== undefined) this.expireAt(event.entry, due);
      else this.#deadlines?.delete(event.type === 'put' ? event.entry.key : event.key);
    }
    this.#dropVoidDeadlines();
    this.#hub.publish(events);
  }

  /** Keys deleted or put again leave their deadlines behind; when they are the most, it is time to sweep. */
  #dropVoidDeadlines(): void {
    if (this.#expiry && this.#deadlines && this.#expiry.size > 2 * this.#deadlines.size + voidDeadlinesKept)
      this.#expiry.replaceBy(this.#deadlines.values());
  }

  /** Arranges that this version vanishes at the given time unless the key is put again. */
  protected expireAt(entry: Entry, dueMs: number): void {
    // A commit may still settle while the store closes; a timer armed now would keep all its data for that long.
    if (this.#closed) return;
    const deadline = { dueMs, key: entry.key, modRevision: entry.modRevision };
    this.#deadlines ??= new Map();
    this.#deadlines.set(entry.key, deadline);
    this.#expiry ??= new ExpiryQueue(this.clock, (due) => this.#expire(due));
    this.#expiry.add(deadline);
  }

  protected dueMs(operation: Put | Delete): number | undefined {
    if (operation.op === 'delete' || operation.ttlSeconds === undefined) return undefined;
    return this.clock.now() + operation.ttlSeconds * 1000;
  }

  protected requireOpen(): void {
    if (this.#closed) throw new StoreUnavailableError('the store was closed');
  }

  #expire({ key, modRevision }: Deadline): void {
    if (this.#closed || this.#deadlines?.get(key)?.modRevision !== modRevision) return;
    this.commit({ op: 'delete', key, expect: modRevision }).catch(() => {
      // The disk is the trouble, and every writer hears of it; the key stays until the next opening expires it.
    });
  }
}

/** The result of an accepted change. */
export function accepted(event: StoreEvent): CommitResult {
  return {
    ok: true,
    revision: event.revision,
    ...(event.type === 'put' ? { entry: event.entry } : {}),
    ...(event.previous ? { previous: event.previous } : {}),
  };
}

/** The result of a change whose expectation did not hold. */
export function refused(revision: number, current: Entry | undefined): CommitResult {
  return current ? { ok: false, revision, current } : { ok: false, revision };
}
