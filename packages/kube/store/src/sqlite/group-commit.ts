import { errorMessage } from '@hypershift-ts/kube-apimachinery';
import { isExpected, Mvcc } from '../mvcc.ts';
import { accepted, refused } from '../resident-store.ts';
import {
  type CommitResult,
  type Delete,
  type Entry,
  type Put,
  type StoreEvent,
  StoreUnavailableError,
} from '../store.ts';
import type { VersionRow } from './protocol.ts';

/** Bounds of one transaction: its latency is everybody's, so a flood is cut into several. */
const mostRows = 4096;
const mostCharacters = 16 * 1024 * 1024;
/** While one transaction is at the disk, the next may wait there already: the disk then never waits for us. */
const mostInFlight = 2;
/** Fewer rows than this are not worth a sync of their own while another one runs. */
const fewestAhead = 16;

interface Waiting {
  readonly resolve: (result: CommitResult) => void;
  readonly reject: (error: Error) => void;
}

interface Write extends Waiting {
  readonly key: string;
  readonly entry: Entry | undefined;
  readonly row: VersionRow;
}

interface Refusal extends Waiting {
  readonly result: CommitResult;
}

interface Batch {
  readonly writes: Write[];
  /** Writes refused because of a write of this batch: they may be told only when that is durable. */
  readonly refusals: Refusal[];
  characters: number;
  isLost: boolean;
}

export interface GroupCommitOptions {
  readonly mvcc: Mvcc;
  /**
   * Resolves when the rows are on disk, all or none. Called again before it has resolved: calls take effect in order, and
   * one that fails takes all later ones of the same epoch with it.
   */
  write(rows: readonly VersionRow[], epoch: number): Promise<void>;
  /** Called after memory holds the events, before their writers hear of it. */
  committed(events: readonly StoreEvent[], dueMs: (index: number) => number | undefined): void;
}

/**
 * Turns many commits into few transactions: while one is being synced, the next collects. A commit is judged at once
 * against memory plus everything on its way to the disk, and becomes visible only when it is durable.
 */
export class GroupCommit {
  readonly #options: GroupCommitOptions;
  readonly #queue: Batch[] = [];
  /** What keys will be when everything on its way is durable, and which batch decides it. */
  readonly #overlay = new Map<string, { readonly entry: Entry | undefined; readonly batch: Batch }>();
  readonly #inFlight: Batch[] = [];
  #nextRevision: number;
  /** Rises with every failure: what was sent on top of a lost transaction must not reach the disk. */
  #epoch = 0;
  /** So many writers wait at once, by the last transactions; half of them are worth a transaction ahead of time. */
  #lastRows = 0;
  #rowsBefore = 0;
  #isScheduled = false;
  #idle: (() => void)[] = [];

  constructor(options: GroupCommitOptions) {
    this.#options = options;
    this.#nextRevision = options.mvcc.revision + 1;
  }

  commit(operation: Put | Delete, dueMs: number | undefined): Promise<CommitResult> {
    const pending = this.#overlay.get(operation.key);
    const current = pending ? pending.entry : this.#options.mvcc.current(operation.key);
    if (!isExpected(operation, current)) {
      if (!pending) return Promise.resolve(refused(this.#options.mvcc.revision, current));
      const result = refused(this.#nextRevision - 1, current);
      return new Promise((resolve, reject) => pending.batch.refusals.push({ result, resolve, reject }));
    }
    return new Promise((resolve, reject) => {
      const revision = this.#nextRevision++;
      const { key } = operation;
      const entry = operation.op === 'put' ? Mvcc.entryOf(operation, revision, current) : undefined;
      const row: VersionRow = [revision, key, entry?.value ?? null, entry?.createRevision ?? 0, dueMs ?? null];
      const batch = this.#openBatch();
      batch.writes.push({ key, entry, row, resolve, reject });
      batch.characters += key.length + (entry?.value.length ?? 0);
      this.#overlay.set(key, { entry, batch });
      if (this.#isWorthSending(batch)) this.#send();
      else this.#schedule();
    });
  }

  /** Resolves when nothing is on its way to the disk. */
  settled(): Promise<void> {
    if (this.#isIdle()) return Promise.resolve();
    return new Promise((resolve) => this.#idle.push(resolve));
  }

  #openBatch(): Batch {
    const last = this.#queue.at(-1);
    if (last && last.writes.length < mostRows && last.characters < mostCharacters) return last;
    const batch: Batch = { writes: [], refusals: [], characters: 0, isLost: false };
    this.#queue.push(batch);
    return batch;
  }

  /** Not at once: whatever else is about to commit in this turn of the event loop joins the transaction. */
  #schedule(): void {
    if (this.#isScheduled || this.#inFlight.length > 0) return;
    this.#isScheduled = true;
    setImmediate(() => {
      this.#isScheduled = false;
      this.#send();
      if (this.#isIdle()) for (const resolve of this.#idle.splice(0)) resolve();
    });
  }

  #send(): void {
    for (let batch = this.#queue[0]; batch; batch = this.#queue[0]) {
      if (this.#inFlight.length > 0 && !this.#isWorthSending(batch)) return;
      this.#queue.shift();
      this.#inFlight.push(batch);
      void this.#write(batch);
    }
  }

  /** Ahead of time: half of the writers prepare while the other half is written. */
  #isWorthSending({ writes }: Batch): boolean {
    if (this.#inFlight.length >= mostInFlight) return false;
    return writes.length >= Math.max(fewestAhead, (this.#lastRows + this.#rowsBefore) / 2);
  }

  #isIdle(): boolean {
    return this.#queue.length === 0 && this.#inFlight.length === 0 && !this.#isScheduled;
  }

  async #write(batch: Batch): Promise<void> {
    try {
      await this.#options.write(
        batch.writes.map((write) => write.row),
        this.#epoch,
      );
      this.#inFlight.shift();
      this.#finish(batch);
    } catch (error) {
      if (!batch.isLost) this.#giveUp(error);
    }
    // Writers that just heard of their success usually commit again: let them into the next transaction together.
    this.#schedule();
  }

  #finish(batch: Batch): void {
    const { mvcc } = this.#options;
    const { writes } = batch;
    this.#rowsBefore = this.#lastRows;
    this.#lastRows = writes.length;
    const events = writes.map(({ key, entry }) => mvcc.write(key, entry));
    for (const { key } of writes) if (this.#overlay.get(key)?.batch === batch) this.#overlay.delete(key);
    this.#options.committed(events, (index) => writes[index]?.row[4] ?? undefined);
    for (const [index, write] of writes.entries()) write.resolve(accepted(events[index] as StoreEvent));
    for (const refusal of batch.refusals) refusal.resolve(refusal.result);
  }

  /** What was judged on top of a lost batch is void too, so everything on its way is told so, and may be tried again. */
  #giveUp(cause: unknown): void {
    const reason = errorMessage(cause);
    const error = new StoreUnavailableError(`the write could not be made durable: ${reason}`, { cause });
    for (const lost of [...this.#inFlight.splice(0), ...this.#queue.splice(0)]) {
      lost.isLost = true;
      for (const waiting of [...lost.writes, ...lost.refusals]) waiting.reject(error);
    }
    this.#overlay.clear();
    this.#epoch++;
    this.#nextRevision = this.#options.mvcc.revision + 1;
  }
}
