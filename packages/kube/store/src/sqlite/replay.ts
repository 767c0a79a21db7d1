import { Mvcc } from '../mvcc.ts';
import type { Entry } from '../store.ts';
import type { VersionRow } from './protocol.ts';
import { DatabaseFailure } from './worker-host.ts';

/** A database read back into memory. */
export interface Replayed {
  readonly mvcc: Mvcc;
  /** Deadlines of living keys. */
  readonly due: ReadonlyMap<Entry, number>;
  /** Rows that a compaction should have deleted and did not, because the process ended in between. */
  readonly leftovers: readonly number[];
}

/** Rebuilds values, history and events from the rows of a database, given in revision order. */
export function replay(rows: readonly VersionRow[], compacted: number): Replayed {
  const mvcc = new Mvcc(compacted);
  const due = new Map<Entry, number>();
  const leftovers: number[] = [];
  for (const row of rows) {
    const [revision, key, value, createRevision, dueMs] = row;
    const previous = mvcc.current(key);
    if (previous) due.delete(previous);
    const entry = value === null ? undefined : { key, value, modRevision: revision, createRevision, memo: undefined };
    if (entry && dueMs !== null) due.set(entry, dueMs);
    if (revision > compacted) {
      if (revision !== mvcc.revision + 1) throw damaged(`revision ${mvcc.revision + 1} is missing`);
      mvcc.write(key, entry);
      continue;
    }
    if (previous) leftovers.push(previous.modRevision);
    if (entry) mvcc.load(entry);
    else {
      mvcc.unload(key);
      leftovers.push(revision);
    }
  }
  return { mvcc, due, leftovers };
}

function damaged(message: string): DatabaseFailure {
  return new DatabaseFailure({ code: 'STORE_DAMAGED', message, harmless: false });
}
