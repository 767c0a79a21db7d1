import { EventLog } from './event-log.ts';
import { isBeforeEnd, KeyIndex, type KeyRecord, type OldVersion } from './key-index.ts';
import {
  CompactedError,
  type Delete,
  type Entry,
  FutureRevisionError,
  type Put,
  type RangeOptions,
  type RangeResult,
  type StoreEvent,
} from './store.ts';

/** What a fresh store starts with: etcd counts the empty store as revision 1. */
const firstRevision = 1;

/** All versions of all keys since the last compaction, in memory; every change is one revision and one event. */
export class Mvcc {
  readonly #index = new KeyIndex();
  readonly #log: EventLog;
  #revision: number;
  #compacted: number;
  #size = 0;

  /** Continues after `revision`; what happened up to `compacted` is unknown. */
  constructor(revision = firstRevision, compacted = revision) {
    this.#revision = revision;
    this.#compacted = compacted;
    this.#log = new EventLog(compacted + 1);
  }

  get revision(): number {
    return this.#revision;
  }

  get compactedRevision(): number {
    return this.#compacted;
  }

  get size(): number {
    return this.#size;
  }

  current(key: string): Entry | undefined {
    return this.#index.find(key)?.current;
  }

  get(key: string, revision = 0): Entry | undefined {
    if (revision === 0) return this.current(key);
    this.#requireKnown(revision);
    const record = this.#index.find(key);
    return record && versionAt(record, revision);
  }

  range({ start, end, limit = 0, revision = 0 }: RangeOptions): RangeResult {
    if (revision !== 0) this.#requireKnown(revision);
    const entries: Entry[] = [];
    const most = limit > 0 ? limit : Number.POSITIVE_INFINITY;
    if (revision === 0 || revision === this.#revision) {
      this.#index.scan(start, end, ({ current }) => {
        if (current) entries.push(current);
        return entries.length < most;
      });
      const count = entries.length < most ? entries.length : this.#index.countLive(start, end);
      return { entries, count, revision: this.#revision };
    }
    let count = 0;
    this.#index.scan(start, end, (record) => {
      const entry = versionAt(record, revision);
      if (!entry) return true;
      if (count < most) entries.push(entry);
      count++;
      return true;
    });
    return { entries, count, revision: this.#revision };
  }

  /** The version a put would make as the given revision, on top of `previous`. */
  static entryOf(put: Put, revision: number, previous: Entry | undefined): Entry {
    return {
      key: put.key,
      value: put.value,
      modRevision: revision,
      createRevision: previous?.createRevision ?? revision,
      memo: put.memo,
    };
  }

  /** Makes the change the next revision. The caller has checked its expectation, and that a key to delete exists. */
  apply(operation: Put | Delete): StoreEvent {
    if (operation.op === 'delete') return this.write(operation.key, undefined);
    const previous = this.current(operation.key);
    return this.write(operation.key, Mvcc.entryOf(operation, this.#revision + 1, previous));
  }

  /** Writes a version made for the next revision (or a deletion) as that revision. */
  write(key: string, entry: Entry | undefined): StoreEvent {
    const revision = ++this.#revision;
    const previous = this.#index.find(key)?.current;
    const record = this.#index.setCurrent(key, entry);
    // The history names each superseded version by the revision that wrote it, and a deletion by its own.
    if (previous) record.older = { revision: previous.modRevision, entry: previous, older: record.older };
    if (!entry) record.older = { revision, entry: undefined, older: record.older };
    this.#size += footprint(entry) - footprint(previous);
    const event = toEvent(key, revision, entry, previous);
    this.#log.append(event);
    return event;
  }

  /** Puts a version written at or before the compacted revision; no event, no new revision. */
  load(entry: Entry): void {
    const previous = this.#index.find(entry.key)?.current;
    this.#index.setCurrent(entry.key, entry);
    this.#size += footprint(entry) - footprint(previous);
  }

  /** Takes back a load(): the key turned out to be deleted at or before the compacted revision. */
  unload(key: string): void {
    this.#size -= footprint(this.current(key));
    this.#index.setCurrent(key, undefined);
    this.#index.remove(key);
  }

  /** The events after `afterRevision` in the range. Throws CompactedError when some of them are forgotten. */
  eventsAfter(afterRevision: number, start: string, end: string): StoreEvent[] {
    if (afterRevision < this.#compacted) throw new CompactedError(this.#compacted);
    const events: StoreEvent[] = [];
    this.#log.forEachAfter(afterRevision, (event) => {
      const key = eventKey(event);
      if (key >= start && isBeforeEnd(key, end)) events.push(event);
    });
    return events;
  }

  /**
   * Forgets what only revisions before `revision` can see, and returns the revisions whose versions are gone. Costs as
   * much as was written since the last time.
   */
  compact(revision: number): number[] {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    const gone: number[] = [];
    if (revision <= this.#compacted) return gone;
    this.#compacted = revision;
    this.#log.dropThrough(revision, (event) => this.#trim(eventKey(event), revision, gone));
    return gone;
  }

  #trim(key: string, revision: number, gone: number[]): void {
    const record = this.#index.find(key);
    if (!record) return;
    if (record.current && record.current.modRevision <= revision) {
      record.older = forget(record.older, gone);
      return;
    }
    let newer: OldVersion | undefined;
    let version = record.older;
    while (version && version.revision > revision) {
      newer = version;
      version = version.older;
    }
    if (!version) return;
    // This version is what `revision` sees: it stays, unless what it shows is that nothing was there.
    if (version.entry) version.older = forget(version.older, gone);
    else if (newer) newer.older = forget(version, gone);
    else {
      record.older = forget(version, gone);
      if (!record.current) this.#index.remove(key);
    }
  }

  #requireKnown(revision: number): void {
    if (revision > this.#revision) throw new FutureRevisionError(this.#revision);
    if (revision < this.#compacted) throw new CompactedError(this.#compacted);
  }
}

export function eventKey(event: StoreEvent): string {
  return event.type === 'put' ? event.entry.key : event.key;
}

/** Whether a change may happen on top of `current`; the one rule of guards. */
export function isExpected(operation: Put | Delete, current: Entry | undefined): boolean {
  if (operation.op === 'delete' && !current) return false;
  return operation.expect === undefined || operation.expect === (current?.modRevision ?? 0);
}

function toEvent(key: string, revision: number, entry: Entry | undefined, previous: Entry | undefined): StoreEvent {
  const before = previous ? { previous } : {};
  return entry ? { type: 'put', revision, entry, ...before } : { type: 'delete', revision, key, ...before };
}

function versionAt(record: KeyRecord, revision: number): Entry | undefined {
  if (record.current && record.current.modRevision <= revision) return record.current;
  for (let version = record.older; version; version = version.older) {
    if (version.revision <= revision) return version.entry;
  }
  return undefined;
}

function forget(version: OldVersion | undefined, gone: number[]): undefined {
  for (let next = version; next; next = next.older) gone.push(next.revision);
}

function footprint(entry: Entry | undefined): number {
  return entry ? entry.key.length + entry.value.length : 0;
}
