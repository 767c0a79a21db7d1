import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { type Deadline, ExpiryQueue } from './expiry.ts';
import { isExpected, Mvcc } from './mvcc.ts';
import { decodeSnapshot, encodeSnapshot } from './snapshot.ts';
import {
  type CommitResult,
  type Delete,
  type Entry,
  type Put,
  type RangeOptions,
  type RangeResult,
  type Store,
  StoreUnavailableError,
  type WatchHandle,
  type WatchOptions,
} from './store.ts';
import { WatchHub } from './watch-hub.ts';

export interface MemoryStoreOptions {
  readonly clock?: Clock;
}

/** A store that lives as long as the process; for tests, and for clusters that may be forgotten. */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  return new MemoryStore(options.clock ?? systemClock, new Mvcc());
}

/** A memory store holding what snapshot() of another one wrote, at the same revision. */
export function restoreMemory(snapshot: Uint8Array, options: MemoryStoreOptions = {}): Store {
  const clock = options.clock ?? systemClock;
  const { revision, entries } = decodeSnapshot(snapshot);
  const mvcc = new Mvcc(revision);
  const store = new MemoryStore(clock, mvcc);
  for (const { entry, dueMs } of entries) {
    mvcc.load(entry);
    if (dueMs !== undefined) store.expireAt({ dueMs, key: entry.key, modRevision: entry.modRevision });
  }
  return store;
}

class MemoryStore implements Store {
  readonly #clock: Clock;
  readonly #mvcc: Mvcc;
  readonly #hub: WatchHub;
  #expiry: ExpiryQueue | undefined;
  #deadlines: Map<string, Deadline> | undefined;
  #closed = false;

  constructor(clock: Clock, mvcc: Mvcc) {
    this.#clock = clock;
    this.#mvcc = mvcc;
    this.#hub = new WatchHub(mvcc, clock);
  }

  async currentRevision(): Promise<number> {
    return this.#mvcc.revision;
  }

  async get(key: string, revision?: number): Promise<{ readonly entry?: Entry; readonly revision: number }> {
    this.#requireOpen();
    const entry = this.#mvcc.get(key, revision);
    return entry ? { entry, revision: this.#mvcc.revision } : { revision: this.#mvcc.revision };
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    this.#requireOpen();
    return this.#mvcc.range(options);
  }

  async commit(operation: Put | Delete): Promise<CommitResult> {
    this.#requireOpen();
    const current = this.#mvcc.current(operation.key);
    if (!isExpected(operation, current)) {
      const { revision } = this.#mvcc;
      return current ? { ok: false, revision, current } : { ok: false, revision };
    }
    const event = this.#mvcc.apply(operation);
    this.#noteDeadline(operation, event.revision);
    const result: CommitResult = {
      ok: true,
      revision: event.revision,
      ...(event.type === 'put' ? { entry: event.entry } : {}),
      ...(event.previous ? { previous: event.previous } : {}),
    };
    this.#hub.publish([event]);
    return result;
  }

  watch(options: WatchOptions): WatchHandle {
    this.#requireOpen();
    return this.#hub.watch(options);
  }

  async compact(revision: number): Promise<void> {
    this.#requireOpen();
    this.#mvcc.compact(revision);
  }

  async compactedRevision(): Promise<number> {
    return this.#mvcc.compactedRevision;
  }

  async snapshot(): Promise<Uint8Array> {
    this.#requireOpen();
    const { entries, revision } = this.#mvcc.range({ start: '', end: '\0' });
    return encodeSnapshot(revision, entries, (entry) => this.#deadlines?.get(entry.key)?.dueMs);
  }

  size(): number {
    return this.#mvcc.size;
  }

  async close(): Promise<void> {
    this.#closed = true;
    this.#expiry?.close();
    this.#hub.endAll(new StoreUnavailableError('the store was closed'));
  }

  expireAt(deadline: Deadline): void {
    this.#deadlines ??= new Map();
    this.#deadlines.set(deadline.key, deadline);
    this.#expiry ??= new ExpiryQueue(this.#clock, (due) => this.#expire(due));
    this.#expiry.add(deadline);
  }

  #noteDeadline(operation: Put | Delete, modRevision: number): void {
    const { key } = operation;
    if (operation.op === 'put' && operation.ttlSeconds !== undefined) {
      this.expireAt({ dueMs: this.#clock.now() + operation.ttlSeconds * 1000, key, modRevision });
    } else this.#deadlines?.delete(key);
  }

  #expire({ key, modRevision }: Deadline): void {
    if (this.#mvcc.current(key)?.modRevision !== modRevision) return;
    this.#deadlines?.delete(key);
    this.#hub.publish([this.#mvcc.apply({ op: 'delete', key })]);
  }

  #requireOpen(): void {
    if (this.#closed) throw new StoreUnavailableError('the store was closed');
  }
}
