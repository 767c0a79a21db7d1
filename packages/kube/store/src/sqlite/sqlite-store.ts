import { access, rename, rm } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { type Clock, systemClock } from '@hypershift-ts/kube-apimachinery';
import { ResidentStore } from '../resident-store.ts';
import { decodeSnapshot } from '../snapshot.ts';
import { type CommitResult, type Delete, type Put, type Store, StoreUnavailableError } from '../store.ts';
import { GroupCommit } from './group-commit.ts';
import { openErrorFor, StoreOpenError } from './open-error.ts';
import type { VersionRow } from './protocol.ts';
import { type Replayed, replay } from './replay.ts';
import { ensureStoreFile, syncDirectory } from './store-file.ts';
import { callDatabase } from './worker-host.ts';

export interface SqliteStoreOptions {
  /** The database file; it and its directory are made, for the owner only, when absent. */
  readonly file: string;
  readonly clock?: Clock;
}

/** Rows in one transaction of a compaction or a restore: few enough not to keep other stores' commits waiting. */
const rowsAtOnce = 1000;

/** Opens a store whose acknowledged writes survive kill -9 and power loss. Throws StoreOpenError. */
export async function openSqliteStore({ file: path, clock = systemClock }: SqliteStoreOptions): Promise<Store> {
  const file = resolve(path);
  const rows: VersionRow[] = [];
  let compacted: number;
  try {
    await ensureStoreFile(file);
    compacted = await callDatabase({ op: 'open', file }, (more) => {
      for (const row of more) rows.push(row);
    });
  } catch (error) {
    throw openErrorFor(file, error);
  }
  try {
    const store = new SqliteStore(file, clock, replay(rows, compacted));
    await store.start();
    return store;
  } catch (error) {
    await callDatabase({ op: 'close', file });
    throw openErrorFor(file, error);
  }
}

/** Makes a new database file from what snapshot() of a memory or SQLite store wrote, and opens it. */
export async function restoreSqlite(snapshot: Uint8Array, options: SqliteStoreOptions): Promise<Store> {
  const file = resolve(options.file);
  const { revision, entries } = decodeSnapshot(snapshot);
  if (await exists(file)) {
    throw new StoreOpenError('exists', `store ${file} exists: restore into a new data directory, or move it away`);
  }
  // Under another name until it is whole, so that an interrupted restore is never taken for a store.
  const unfinished = `${file}.restoring`;
  for (const leftover of [unfinished, `${unfinished}-wal`]) await rm(leftover, { force: true });
  await ensureStoreFile(unfinished);
  await callDatabase({ op: 'open', file: unfinished });
  try {
    for (let i = 0; i < entries.length; i += rowsAtOnce) {
      const rows = entries.slice(i, i + rowsAtOnce).map(({ entry, dueMs }): VersionRow => {
        return [entry.modRevision, entry.key, entry.value, entry.createRevision, dueMs ?? null];
      });
      await callDatabase({ op: 'write', file: unfinished, rows });
    }
    await callDatabase({ op: 'compact', file: unfinished, compacted: revision, gone: [] });
  } finally {
    await callDatabase({ op: 'close', file: unfinished });
  }
  await rename(unfinished, file);
  await syncDirectory(dirname(file));
  return openSqliteStore(options);
}

class SqliteStore extends ResidentStore {
  readonly #file: string;
  readonly #commits: GroupCommit;
  readonly #replayed: Omit<Replayed, 'mvcc'>;
  /** Never rejects. */
  #compaction: Promise<void> = Promise.resolve();
  #closing: Promise<void> | undefined;

  constructor(file: string, clock: Clock, { mvcc, ...replayed }: Replayed) {
    super(clock, mvcc);
    this.#file = file;
    this.#replayed = replayed;
    this.#commits = new GroupCommit({
      mvcc,
      write: async (rows, epoch) => void (await callDatabase({ op: 'write', file, rows, epoch })),
      committed: (events, dueMs) => this.committed(events, dueMs),
    });
  }

  async start(): Promise<void> {
    const { due, leftovers } = this.#replayed;
    if (leftovers.length > 0) await this.#forget(this.mvcc.compactedRevision, leftovers);
    for (const [entry, dueMs] of due) this.expireAt(entry, dueMs);
  }

  async commit(operation: Put | Delete): Promise<CommitResult> {
    this.requireOpen();
    return this.#commits.commit(operation, this.dueMs(operation));
  }

  async compact(revision: number): Promise<void> {
    this.requireOpen();
    if (revision <= this.mvcc.compactedRevision) return;
    // Memory first: if the process ends before the file follows, the file merely remembers more.
    const gone = this.mvcc.compact(revision);
    const forgotten = this.#compaction.then(() => this.#forget(revision, gone));
    this.#compaction = forgotten.catch(() => undefined);
    await forgotten.catch((cause: unknown) => {
      throw new StoreUnavailableError(`compaction of ${this.#file} failed: ${String(cause)}`, { cause });
    });
  }

  override close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    await super.close();
    await this.#commits.settled();
    await this.#compaction;
    await callDatabase({ op: 'close', file: this.#file });
  }

  async #forget(compacted: number, gone: readonly number[]): Promise<void> {
    for (let at = 0; at === 0 || at < gone.length; at += rowsAtOnce) {
      await callDatabase({ op: 'compact', file: this.#file, compacted, gone: gone.slice(at, at + rowsAtOnce) });
    }
  }
}

async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
