/**
 * The seam under the API server: a versioned key-value store with the semantics of etcd v3, small enough
 * that memory, an SQLite file and a real etcd all keep it to the letter (see contract.ts).
 */

/** One version of one key. Immutable except for `memo`. */
export interface Entry {
  readonly key: string;
  /** The stored text. A string rather than bytes: one byte a character for ASCII, no per-value overhead, parsed and sent as is. */
  readonly value: string;
  /** The store revision that wrote this version. */
  readonly modRevision: number;
  /** The store revision that created the key. */
  readonly createRevision: number;
  /** A slot for the reader to remember what it decoded, so that one decoded copy serves everybody. Not stored. */
  memo?: unknown;
}

export interface Put {
  readonly op: 'put';
  readonly key: string;
  readonly value: string;
  /** Only when the key's modRevision is this; 0 means only when absent; undefined means always. */
  readonly expect?: number;
  /** The key vanishes (with a delete event) this long after the last put that set it. */
  readonly ttlSeconds?: number;
  /** Put into the new entry's `memo`. */
  readonly memo?: unknown;
}

export interface Delete {
  readonly op: 'delete';
  readonly key: string;
  readonly expect?: number;
}

export type CommitResult =
  /** Durable. `entry` is the new version (absent for a delete), `previous` the one it replaced. */
  | { readonly ok: true; readonly revision: number; readonly entry?: Entry; readonly previous?: Entry }
  /** The expectation did not hold, or the key to delete is absent; nothing changed. `current` is what is there. */
  | { readonly ok: false; readonly revision: number; readonly current?: Entry };

export type StoreEvent =
  | { readonly type: 'put'; readonly revision: number; readonly entry: Entry; readonly previous?: Entry }
  | { readonly type: 'delete'; readonly revision: number; readonly key: string; readonly previous?: Entry };

export interface RangeOptions {
  /** First key, inclusive. */
  readonly start: string;
  /** Last key, exclusive; '\0' for no end. See prefixEnd(). */
  readonly end: string;
  readonly limit?: number;
  /** Read as of this revision; throws CompactedError when it is no longer known. 0 or undefined means latest. */
  readonly revision?: number;
}

export interface RangeResult {
  readonly entries: readonly Entry[];
  /** How many keys the range holds in all, whatever the limit. */
  readonly count: number;
  /** The store's revision at the time of the read. */
  readonly revision: number;
}

export interface WatchOptions {
  readonly start: string;
  readonly end: string;
  /** Deliver everything after this revision. Throws or reports CompactedError when that is no longer known. */
  readonly afterRevision: number;
  /** Events in revision order, never partial revisions; called synchronously after the commit is durable. */
  onEvents(events: readonly StoreEvent[]): void;
  /**
   * "Everything up to `revision` that concerns you has been delivered." Called now and then on quiet ranges,
   * and on requestProgress().
   */
  onProgress?(revision: number): void;
  /** The watch ended by itself: compaction, lost connection. Not called after close(). */
  onEnd(error: Error): void;
}

export interface WatchHandle {
  close(): void;
  /** Ask for an onProgress soon. */
  requestProgress(): void;
}

export interface Store {
  /** The latest committed revision. */
  currentRevision(): Promise<number>;
  get(key: string, revision?: number): Promise<{ readonly entry?: Entry; readonly revision: number }>;
  range(options: RangeOptions): Promise<RangeResult>;
  /** Resolves when durable. Rejects with StoreUnavailableError when the outcome is unknown. */
  commit(operation: Put | Delete): Promise<CommitResult>;
  watch(options: WatchOptions): WatchHandle;
  /** Forgets versions older than `revision` (the latest version of each key stays). */
  compact(revision: number): Promise<void>;
  /** Oldest revision that can still be read or watched from. */
  compactedRevision(): Promise<number>;
  /** A consistent copy of everything, which restore() of the same implementation accepts. */
  snapshot(): Promise<Uint8Array>;
  /** Approximate bytes held by current values; for metrics. */
  size(): number;
  /** Resolves when pending commits are settled and files are closed. */
  close(): Promise<void>;
}

/**
 * The first key after all keys that begin with `prefix`. `'\0'` where there is no such key: as the end of a range it
 * means that the range has none, as in etcd.
 */
export function prefixEnd(prefix: string): string {
  const points = Array.from(prefix);
  while (points.length > 0) {
    const code = (points.pop() as string).codePointAt(0) as number;
    // Surrogates are not characters: the one after U+D7FF is U+E000.
    if (code < 0x10ffff) return points.join('') + String.fromCodePoint(code === 0xd7ff ? 0xe000 : code + 1);
  }
  return '\0';
}

/** The revision asked for was compacted away. */
export class CompactedError extends Error {
  override readonly name = 'CompactedError';
  readonly compactedRevision: number;

  constructor(compactedRevision: number) {
    super(`required revision has been compacted (oldest known: ${compactedRevision})`);
    this.compactedRevision = compactedRevision;
  }
}

/** The revision asked for is in the future. */
export class FutureRevisionError extends Error {
  override readonly name = 'FutureRevisionError';
  readonly currentRevision: number;

  constructor(currentRevision: number) {
    super(`required revision is a future revision (current: ${currentRevision})`);
    this.currentRevision = currentRevision;
  }
}

/** The store cannot answer now; a write may or may not have happened. */
export class StoreUnavailableError extends Error {
  override readonly name = 'StoreUnavailableError';
}
