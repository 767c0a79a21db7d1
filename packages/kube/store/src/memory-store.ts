import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { isExpected, Mvcc } from './mvcc.ts';
import { accepted, refused, ResidentStore } from './resident-store.ts';
import { decodeSnapshot } from './snapshot.ts';
import type { CommitResult, Delete, Entry, Put, Store } from './store.ts';

export interface MemoryStoreOptions {
  readonly clock?: Clock;
}

/** A store that lives as long as the process; for tests, and for clusters that may be forgotten. */
export function createMemoryStore(options: MemoryStoreOptions = {}): Store {
  return new MemoryStore(options.clock ?? systemClock, new Mvcc());
}

/** A memory store holding what snapshot() of a memory or SQLite store wrote, at the same revision. */
export function restoreMemory(snapshot: Uint8Array, options: MemoryStoreOptions = {}): Store {
  const { revision, entries } = decodeSnapshot(snapshot);
  const store = new MemoryStore(options.clock ?? systemClock, new Mvcc(revision));
  for (const { entry, dueMs } of entries) store.load(entry, dueMs);
  return store;
}

class MemoryStore extends ResidentStore {
  load(entry: Entry, dueMs: number | undefined): void {
    this.mvcc.load(entry);
    if (dueMs !== undefined) this.expireAt(entry, dueMs);
  }

  async commit(operation: Put | Delete): Promise<CommitResult> {
    this.requireOpen();
    const current = this.mvcc.current(operation.key);
    if (!isExpected(operation, current)) return refused(this.mvcc.revision, current);
    const event = this.mvcc.apply(operation);
    this.committed([event], () => this.dueMs(operation));
    return accepted(event);
  }

  async compact(revision: number): Promise<void> {
    this.requireOpen();
    this.mvcc.compact(revision);
  }
}
