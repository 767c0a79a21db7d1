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

  set(key: string, value: V, until: number, now: number): void {
    this.entries.delete(key);
    // Credentials of what was deleted are never asked for again: only their age tells.
    for (const [oldest, entry] of this.entries) {
      if (now < entry.until && this.entries.size < this.size) break;
      this.entries.delete(oldest);
    }
    this.entries.set(key, { value, until });
  }

  clear(): void {
    this.entries.clear();
  }

  get count(): number {
    return this.entries.size;
  }
}
