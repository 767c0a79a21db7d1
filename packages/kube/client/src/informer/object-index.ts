import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { keyOf } from '@hypershift-ts/kube-apimachinery';

/** The values under which an object is found in an index; none leaves it out. */
export type IndexFunction<T extends KubeObject> = (object: T) => readonly string[];

interface Index<T extends KubeObject> {
  readonly valuesOf: IndexFunction<T>;
  readonly keysByValue: Map<string, Set<string>>;
}

/** Objects by key with any number of secondary indexes kept up to date. Holds references, never copies. */
export class ObjectIndex<T extends KubeObject> {
  private readonly objects = new Map<string, T>();
  private indexes: Map<string, Index<T>> | undefined;

  get size(): number {
    return this.objects.size;
  }

  get(key: string): T | undefined {
    return this.objects.get(key);
  }

  keys(): IterableIterator<string> {
    return this.objects.keys();
  }

  values(): IterableIterator<T> {
    return this.objects.values();
  }

  /** Stores the object and returns the one it replaced. */
  set(object: T): T | undefined {
    const key = keyOf(object);
    const previous = this.objects.get(key);
    this.objects.set(key, object);
    if (this.indexes) {
      for (const index of this.indexes.values()) {
        if (previous) unlink(index, key, index.valuesOf(previous));
        link(index, key, index.valuesOf(object));
      }
    }
    return previous;
  }

  /** Removes and returns the object of that key. */
  delete(key: string): T | undefined {
    const previous = this.objects.get(key);
    if (!previous) return undefined;
    this.objects.delete(key);
    if (this.indexes) for (const index of this.indexes.values()) unlink(index, key, index.valuesOf(previous));
    return previous;
  }

  clear(): void {
    this.objects.clear();
    if (this.indexes) for (const index of this.indexes.values()) index.keysByValue.clear();
  }

  /** Adds an index over present and future objects; an index of that name stays as it is. */
  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.indexes ??= new Map();
    if (this.indexes.has(name)) return;
    const index: Index<T> = { valuesOf, keysByValue: new Map() };
    for (const [key, object] of this.objects) link(index, key, valuesOf(object));
    this.indexes.set(name, index);
  }

  hasIndex(name: string): boolean {
    return this.indexes?.has(name) ?? false;
  }

  byIndex(name: string, value: string): T[] {
    const index = this.indexes?.get(name);
    if (!index) throw new Error(`no index named "${name}"; add it with addIndex() first`);
    const found: T[] = [];
    for (const key of index.keysByValue.get(value) ?? []) {
      const object = this.objects.get(key);
      if (object) found.push(object);
    }
    return found;
  }
}

function link<T extends KubeObject>(index: Index<T>, key: string, values: readonly string[]): void {
  for (const value of values) {
    const keys = index.keysByValue.get(value);
    if (keys) keys.add(key);
    else index.keysByValue.set(value, new Set([key]));
  }
}

function unlink<T extends KubeObject>(index: Index<T>, key: string, values: readonly string[]): void {
  for (const value of values) {
    const keys = index.keysByValue.get(value);
    keys?.delete(key);
    if (keys?.size === 0) index.keysByValue.delete(value);
  }
}
