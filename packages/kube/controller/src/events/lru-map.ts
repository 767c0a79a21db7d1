/** A map that forgets what was used longest ago once it holds more than `limit` entries. */
export class LruMap<K, V> {
  private readonly entries = new Map<K, V>();
  private readonly limit: number;

  constructor(limit: number) {
    this.limit = limit;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: K): V | undefined {
    const value = this.entries.get(key);
    if (value === undefined) return undefined;
    this.entries.delete(key);
    this.entries.set(key, value);
    return value;
  }

  set(key: K, value: V): void {
    this.entries.delete(key);
    this.entries.set(key, value);
    if (this.entries.size <= this.limit) return;
    const oldest = this.entries.keys().next();
    if (!oldest.done) this.entries.delete(oldest.value);
  }

  delete(key: K): void {
    this.entries.delete(key);
  }

  /** Forgets entries from the one used longest ago on, up to the first that is to stay. */
  dropOldestWhile(isOver: (value: V) => boolean): void {
    for (const [key, value] of this.entries) {
      if (!isOver(value)) return;
      this.entries.delete(key);
    }
  }
}
