/** A map that forgets the least recently used entry when full, and entries older than their deadline. */
export class BoundedCache<V> {
  private readonly entries = new Map<string, { readonly value: V; readonly until: number }>();
  private readonly size: number;

  constructor(size: number) {
    this.size = size;
  }

  get(key: string, now: number): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    if (now >= entry.until) return undefined;
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V, until: number): void {
    this.entries.delete(key);
    this.entries.set(key, { value, until });
    if (this.entries.size > this.size) {
      const oldest = this.entries.keys().next();
      if (!oldest.done) this.entries.delete(oldest.value);
    }
  }

  clear(): void {
    this.entries.clear();
  }

  get count(): number {
    return this.entries.size;
  }
}
