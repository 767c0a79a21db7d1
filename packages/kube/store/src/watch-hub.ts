import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { isBeforeEnd } from './key-index.ts';
import { eventKey } from './mvcc.ts';
import { prefixEnd, type StoreEvent, type WatchHandle, type WatchOptions } from './store.ts';

/** How long a watch may stay behind the store on a busy neighbour's account before it hears of the progress. */
const progressMs = 5_000;

/** Where a hub learns how far the store is and what a new watch has missed. */
export interface EventSource {
  readonly revision: number;
  /** Throws CompactedError when some of the events are forgotten. */
  eventsAfter(afterRevision: number, start: string, end: string): StoreEvent[];
}

class Watcher {
  readonly options: WatchOptions;
  /** Everything up to here has been handed over, or does not concern this watch. */
  delivered: number;
  /** Events waiting for the first delivery, which happens after watch() returned. */
  backlog: StoreEvent[] | undefined = [];
  batch: StoreEvent[] | undefined;
  closed = false;

  constructor(options: WatchOptions) {
    this.options = options;
    this.delivered = options.afterRevision;
  }
}

/**
 * The watches of one store. Ranges that are a directory ("/registry/pods/", "/registry/pods/default/") or one key are
 * found through the key's own directories, so a commit costs only the watches that see it; other shapes are scanned.
 */
export class WatchHub {
  readonly #source: EventSource;
  readonly #clock: Clock;
  readonly #byRange = new Map<string, Set<Watcher>>();
  readonly #irregular = new Set<Watcher>();
  #queue: (readonly StoreEvent[])[] | undefined;
  #cancelProgress: (() => void) | undefined;

  constructor(source: EventSource, clock: Clock) {
    this.#source = source;
    this.#clock = clock;
  }

  watch(options: WatchOptions): WatchHandle {
    const watcher = new Watcher(options);
    try {
      // Taken now, not when delivered: a compaction in between must not make a gap.
      watcher.backlog = this.#source.eventsAfter(options.afterRevision, options.start, options.end);
      this.#add(watcher);
      queueMicrotask(() => this.#deliverBacklog(watcher));
    } catch (error) {
      queueMicrotask(() => this.#end(watcher, error));
    }
    return {
      close: () => this.#remove(watcher),
      requestProgress: () => queueMicrotask(() => this.#tellProgress(watcher)),
    };
  }

  /**
   * Hands committed events, in revision order, to the watches that see them. A callback that commits again does not
   * overtake: its events follow when everybody has these.
   */
  publish(events: readonly StoreEvent[]): void {
    if (this.#byRange.size === 0 && this.#irregular.size === 0) return;
    if (this.#queue) {
      this.#queue.push(events);
      return;
    }
    this.#queue = [events];
    for (let i = 0; i < this.#queue.length; i++) this.#distribute(this.#queue[i] as readonly StoreEvent[]);
    this.#queue = undefined;
    this.#armProgress();
  }

  /** Ends every watch, as when the store closes. */
  endAll(error: Error): void {
    this.#cancelProgress?.();
    for (const watcher of this.#all()) {
      try {
        this.#end(watcher, error);
      } catch {
        // It has ended all the same, and the others must hear of it too.
      }
    }
  }

  #distribute(events: readonly StoreEvent[]): void {
    const touched: Watcher[] = [];
    const [only] = events;
    if (only && events.length === 1) {
      // The usual case, without an array for each of perhaps thousands of watches.
      this.#forEachSeeing(eventKey(only), (watcher) => {
        if (only.revision > watcher.options.afterRevision) touched.push(watcher);
      });
      for (const watcher of touched) this.#hand(watcher, events);
      return;
    }
    for (const event of events) {
      this.#forEachSeeing(eventKey(event), (watcher) => {
        if (event.revision <= watcher.options.afterRevision) return;
        if (watcher.batch) watcher.batch.push(event);
        else {
          watcher.batch = [event];
          touched.push(watcher);
        }
      });
    }
    for (const watcher of touched) {
      const batch = watcher.batch as StoreEvent[];
      watcher.batch = undefined;
      this.#hand(watcher, batch);
    }
  }

  #hand(watcher: Watcher, events: readonly StoreEvent[]): void {
    if (watcher.backlog) for (const event of events) watcher.backlog.push(event);
    else this.#deliver(watcher, events);
  }

  #forEachSeeing(key: string, visit: (watcher: Watcher) => void): void {
    if (this.#byRange.size > 0) {
      for (let slash = key.indexOf('/'); slash >= 0; slash = key.indexOf('/', slash + 1)) {
        this.#byRange.get(key.slice(0, slash + 1))?.forEach(visit);
      }
      if (!key.endsWith('/')) this.#byRange.get(key)?.forEach(visit);
    }
    for (const watcher of this.#irregular) {
      if (key >= watcher.options.start && isBeforeEnd(key, watcher.options.end)) visit(watcher);
    }
  }

  #deliverBacklog(watcher: Watcher): void {
    const { backlog } = watcher;
    watcher.backlog = undefined;
    if (backlog && backlog.length > 0) this.#deliver(watcher, backlog);
  }

  #deliver(watcher: Watcher, events: readonly StoreEvent[]): void {
    if (watcher.closed) return;
    watcher.delivered = (events.at(-1) as StoreEvent).revision;
    try {
      watcher.options.onEvents(events);
    } catch (error) {
      // One reader's fault must not fail the writer or starve the other readers.
      this.#end(watcher, error);
    }
  }

  #tellProgress(watcher: Watcher): void {
    // A watch that starts in the future has nothing to say yet.
    if (watcher.closed || watcher.backlog || watcher.delivered > this.#source.revision) return;
    watcher.delivered = this.#source.revision;
    try {
      watcher.options.onProgress?.(watcher.delivered);
    } catch (error) {
      this.#end(watcher, error);
    }
  }

  /** Armed by a commit, never by time alone: an idle store has no timer. */
  #armProgress(): void {
    this.#cancelProgress ??= this.#clock.after(progressMs, () => {
      this.#cancelProgress = undefined;
      for (const watcher of this.#all()) if (watcher.delivered < this.#source.revision) this.#tellProgress(watcher);
    });
  }

  #end(watcher: Watcher, error: unknown): void {
    if (watcher.closed) return;
    this.#remove(watcher);
    watcher.options.onEnd(error instanceof Error ? error : new Error(String(error)));
  }

  #all(): Watcher[] {
    return [...this.#irregular, ...[...this.#byRange.values()].flatMap((watchers) => [...watchers])];
  }

  #add(watcher: Watcher): void {
    const slot = slotFor(watcher.options);
    if (slot === undefined) {
      this.#irregular.add(watcher);
      return;
    }
    const watchers = this.#byRange.get(slot);
    if (watchers) watchers.add(watcher);
    else this.#byRange.set(slot, new Set([watcher]));
  }

  #remove(watcher: Watcher): void {
    watcher.closed = true;
    watcher.backlog = undefined;
    const slot = slotFor(watcher.options);
    if (slot === undefined) {
      this.#irregular.delete(watcher);
      return;
    }
    const watchers = this.#byRange.get(slot);
    if (watchers?.delete(watcher) && watchers.size === 0) this.#byRange.delete(slot);
  }
}

/** Under which directory or key a range can be looked up; undefined for any other shape. */
function slotFor({ start, end }: WatchOptions): string | undefined {
  if (start.endsWith('/')) return end === prefixEnd(start) ? start : undefined;
  return start !== '' && end === `${start}\0` ? start : undefined;
}
