import type { Entry } from './store.ts';

/** A version that a newer one replaced, kept until compaction. No entry means the key was deleted at `revision`. */
export interface OldVersion {
  readonly revision: number;
  readonly entry: Entry | undefined;
  older: OldVersion | undefined;
}

/** Everything known of one key: the living version, when it has one, and the superseded ones, newest first. */
export interface KeyRecord {
  readonly key: string;
  current: Entry | undefined;
  older: OldVersion | undefined;
}

interface Block {
  readonly records: KeyRecord[];
  /** How many records have a current version, so that counting skips whole blocks. */
  live: number;
}

// Splicing 256 pointers costs less than the search before it, and a million keys still make only some thousand blocks.
const blockSize = 256;

/** An `end` that bounds nothing, as in etcd: everything from `start` on. */
const openEnd = '\0';

/** Whether a key lies below the exclusive end of a range. */
export function isBeforeEnd(key: string, end: string): boolean {
  return end === openEnd || key < end;
}

/** Keys in order: blocks of sorted records, with a hash beside them for single lookups. */
export class KeyIndex {
  readonly #byKey = new Map<string, KeyRecord>();
  readonly #blocks: Block[] = [];

  find(key: string): KeyRecord | undefined {
    return this.#byKey.get(key);
  }

  /** Replaces the key's current version; the caller keeps the history. */
  setCurrent(key: string, entry: Entry | undefined): KeyRecord {
    let record = this.#byKey.get(key);
    if (!record) {
      record = { key, current: entry, older: undefined };
      this.#insert(record);
      return record;
    }
    if ((record.current === undefined) !== (entry === undefined)) {
      this.#blockFor(key).live += entry === undefined ? -1 : 1;
    }
    record.current = entry;
    return record;
  }

  /** Forgets a record that has neither a current version nor history. */
  remove(key: string): void {
    if (!this.#byKey.delete(key)) return;
    const at = this.#blockPosition(key);
    const block = this.#blocks[at] as Block;
    block.records.splice(lowerBound(block.records, key), 1);
    if (block.records.length === 0) this.#blocks.splice(at, 1);
  }

  /** Calls back for each record of the range in key order until the callback returns false. */
  scan(start: string, end: string, visit: (record: KeyRecord) => boolean): void {
    for (let at = this.#blockPosition(start), first = true; at < this.#blocks.length; at++, first = false) {
      const { records } = this.#blocks[at] as Block;
      for (let i = first ? lowerBound(records, start) : 0; i < records.length; i++) {
        const record = records[i] as KeyRecord;
        if (!isBeforeEnd(record.key, end) || !visit(record)) return;
      }
    }
  }

  /** The number of living keys in the range, without visiting those of whole blocks. */
  countLive(start: string, end: string): number {
    let count = 0;
    for (let at = this.#blockPosition(start), first = true; at < this.#blocks.length; at++, first = false) {
      const { records, live } = this.#blocks[at] as Block;
      const from = first ? lowerBound(records, start) : 0;
      const whole = isBeforeEnd((records.at(-1) as KeyRecord).key, end);
      const to = whole ? records.length : lowerBound(records, end);
      if (live === records.length) count += Math.max(0, to - from);
      else if (whole && from === 0) count += live;
      else for (let i = from; i < to; i++) if ((records[i] as KeyRecord).current) count++;
      if (!whole) break;
    }
    return count;
  }

  #insert(record: KeyRecord): void {
    this.#byKey.set(record.key, record);
    const live = record.current ? 1 : 0;
    if (this.#blocks.length === 0) {
      this.#blocks.push({ records: [record], live });
      return;
    }
    const at = this.#blockPosition(record.key);
    const block = this.#blocks[at] as Block;
    block.records.splice(lowerBound(block.records, record.key), 0, record);
    block.live += live;
    if (block.records.length > blockSize) this.#split(at, block);
  }

  #split(at: number, block: Block): void {
    // Keys mostly arrive in order (names with counters), so a block that grew at its end stays nearly full.
    const isLast = at === this.#blocks.length - 1;
    const moved = block.records.splice(isLast ? blockSize - 16 : blockSize / 2);
    const live = moved.reduce((sum, record) => sum + (record.current ? 1 : 0), 0);
    block.live -= live;
    this.#blocks.splice(at + 1, 0, { records: moved, live });
  }

  #blockFor(key: string): Block {
    return this.#blocks[this.#blockPosition(key)] as Block;
  }

  /** The last block whose first key is not beyond `key`, or the first block. */
  #blockPosition(key: string): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (((this.#blocks[middle] as Block).records[0] as KeyRecord).key <= key) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

function lowerBound(records: readonly KeyRecord[], key: string): number {
  let low = 0;
  let high = records.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((records[middle] as KeyRecord).key < key) low = middle + 1;
    else high = middle;
  }
  return low;
}
