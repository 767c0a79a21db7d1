import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { isBeforeEnd } from '../key-index.ts';
import { eventKey } from '../mvcc.ts';
import { CompactedError, type Entry, type StoreEvent, type WatchHandle, type WatchOptions } from '../store.ts';
import { type EventSource, WatchHub } from '../watch-hub.ts';
import type { EtcdConnection } from './connection.ts';
import { watchKeyspace } from './keyspace-watch.ts';

/** Recent events kept for watches that start a little in the past; older ones are asked from the server. */
const mostRemembered = 4096;

export interface EventFeedOptions {
  readonly connection: EtcdConnection;
  readonly clock: Clock;
  currentRevision(): Promise<number>;
}

/** One etcd watch for all watches of a store: the events are received and decoded once and handed around here. */
export class EventFeed implements EventSource {
  readonly #options: EventFeedOptions;
  readonly #hub: WatchHub;
  readonly #upstreams = new Set<{ close(): void }>();
  readonly #watches = new Set<JoiningWatch>();
  #started: Promise<void> | undefined;
  /** All events after `#since` up to `#position` are in `#recent`. */
  #recent: StoreEvent[] = [];
  #since = 0;
  /** Entries of writes that were answered before their events arrived, by revision. */
  readonly #own = new Map<number, Entry>();
  #position = 0;
  #closed: Error | undefined;
  #waiting: { readonly revision: number; readonly resolve: () => void }[] = [];

  constructor(options: EventFeedOptions) {
    this.#options = options;
    this.#hub = new WatchHub(this, options.clock);
  }

  /** How far the events have been received. */
  get revision(): number {
    return this.#position;
  }

  eventsAfter(afterRevision: number, start: string, end: string): StoreEvent[] {
    if (afterRevision < this.#since) throw new CompactedError(this.#since);
    return this.#recent.filter((event) => {
      const key = eventKey(event);
      return event.revision > afterRevision && key >= start && isBeforeEnd(key, end);
    });
  }

  watch(options: WatchOptions): WatchHandle {
    const joining = new JoiningWatch(options, () => this.#watches.delete(joining));
    this.#watches.add(joining);
    this.#join(joining).catch((error: unknown) => joining.end(error));
    return {
      close: () => joining.close(),
      requestProgress: () => {
        this.#progress(joining).catch(() => {
          // The server does not answer; progress will be told when something arrives.
        });
      },
    };
  }

  /**
   * The entry that stands for this write everywhere: the one that the watches get, whichever of the answer and the
   * event comes first. So what a reader remembers in `memo` serves all.
   */
  share(entry: Entry): Entry {
    if (!this.#started || entry.modRevision <= this.#since) return entry;
    if (entry.modRevision > this.#position) {
      if (this.#own.size < mostRemembered) this.#own.set(entry.modRevision, entry);
      return entry;
    }
    for (let i = this.#recent.length - 1; i >= 0; i--) {
      const event = this.#recent[i] as StoreEvent;
      if (event.revision < entry.modRevision) break;
      if (event.type !== 'put' || event.revision !== entry.modRevision || event.entry.key !== entry.key) continue;
      event.entry.memo ??= entry.memo;
      return event.entry;
    }
    return entry;
  }

  /** Forgets what the server forgot. */
  compacted(revision: number): void {
    if (revision <= this.#since || revision > this.#position) return;
    this.#since = revision;
    this.#recent = this.#recent.filter((event) => event.revision > revision);
  }

  close(error: Error): void {
    this.#closed = error;
    for (const upstream of this.#upstreams) upstream.close();
    for (const joining of this.#watches) joining.end(error);
    this.#hub.endAll(error);
  }

  async #join(joining: JoiningWatch): Promise<void> {
    await this.#start();
    if (joining.closed) return;
    if (joining.position >= this.#since) this.#hand(joining);
    else this.#catchUp(joining);
  }

  #hand(joining: JoiningWatch): void {
    if (this.#closed) joining.end(this.#closed);
    if (joining.closed) return;
    joining.handle = this.#hub.watch({ ...joining.options, ...joining.callbacks() });
    joining.joined = true;
    if (joining.wantsProgress) joining.handle.requestProgress();
  }

  /** Reads the older events from the server until the feed's own memory takes over. */
  #catchUp(joining: JoiningWatch): void {
    const upstream = watchKeyspace({
      ...this.#options,
      afterRevision: joining.position,
      onEvents: (events) => {
        joining.deliver(events);
        if (joining.position < this.#since && !joining.closed) return;
        joining.handle = undefined;
        this.#stop(upstream);
        this.#hand(joining);
      },
      onCompacted: (error) => {
        this.#stop(upstream);
        joining.end(error);
      },
    });
    this.#upstreams.add(upstream);
    joining.handle = { close: () => this.#stop(upstream), requestProgress: () => undefined };
  }

  #stop(upstream: { close(): void }): void {
    upstream.close();
    this.#upstreams.delete(upstream);
  }

  async #progress(joining: JoiningWatch): Promise<void> {
    const revision = await this.#options.currentRevision();
    await this.#start();
    if (this.#position < revision) await new Promise<void>((resolve) => this.#waiting.push({ revision, resolve }));
    if (joining.joined) joining.handle?.requestProgress();
    else joining.wantsProgress = true;
  }

  #start(): Promise<void> {
    this.#started ??= this.#open().catch((error: unknown) => {
      this.#started = undefined;
      throw error;
    });
    return this.#started;
  }

  async #open(): Promise<void> {
    const revision = await this.#options.currentRevision();
    this.#since = revision;
    this.#position = revision;
    this.#recent = [];
    this.#own.clear();
    const upstream = watchKeyspace({
      ...this.#options,
      afterRevision: revision,
      onEvents: (events) => this.#receive(events),
      onCompacted: (error) => {
        // So long cut off that the server has forgotten what is missing: everybody has to list again.
        this.#stop(upstream);
        this.#started = undefined;
        this.#hub.endAll(error);
      },
    });
    this.#upstreams.add(upstream);
  }

  #receive(received: readonly StoreEvent[]): void {
    const events = this.#own.size === 0 ? received : received.map((event) => this.#withOwnEntry(event));
    for (const event of events) this.#recent.push(event);
    this.#position = (events.at(-1) as StoreEvent).revision;
    if (this.#recent.length > 2 * mostRemembered) {
      this.#since = (this.#recent.at(-mostRemembered - 1) as StoreEvent).revision;
      this.#recent = this.#recent.filter((event) => event.revision > this.#since);
    }
    this.#hub.publish(events);
    const reached = this.#waiting.filter((waiting) => waiting.revision <= this.#position);
    if (reached.length === 0) return;
    this.#waiting = this.#waiting.filter((waiting) => waiting.revision > this.#position);
    for (const { resolve } of reached) resolve();
  }

  #withOwnEntry(event: StoreEvent): StoreEvent {
    const own = this.#own.get(event.revision);
    if (!own || event.type !== 'put' || own.key !== event.entry.key) return event;
    this.#own.delete(event.revision);
    return { ...event, entry: own };
  }
}

/** A watch on its way into the feed, perhaps through a catch-up. */
class JoiningWatch {
  readonly options: WatchOptions;
  position: number;
  closed = false;
  joined = false;
  /** Progress was asked for before the watch had joined, and is told when it has. */
  wantsProgress = false;
  handle: WatchHandle | undefined;
  readonly #onClosed: () => void;

  constructor(options: WatchOptions, onClosed: () => void) {
    this.options = options;
    this.#onClosed = onClosed;
    this.position = options.afterRevision;
  }

  callbacks(): Pick<WatchOptions, 'afterRevision' | 'onEvents' | 'onProgress' | 'onEnd'> {
    const { options } = this;
    return {
      afterRevision: this.position,
      onEvents: (events) => options.onEvents(events),
      onProgress: (revision) => options.onProgress?.(revision),
      onEnd: (error) => this.end(error),
    };
  }

  deliver(events: readonly StoreEvent[]): void {
    if (this.closed) return;
    this.position = (events.at(-1) as StoreEvent).revision;
    const { start, end } = this.options;
    const seen = events.filter((event) => eventKey(event) >= start && isBeforeEnd(eventKey(event), end));
    if (seen.length === 0) return;
    try {
      this.options.onEvents(seen);
    } catch (error) {
      this.end(error);
    }
  }

  end(error: unknown): void {
    if (this.closed) return;
    this.close();
    this.options.onEnd(error instanceof Error ? error : new Error(String(error)));
  }

  close(): void {
    this.closed = true;
    this.handle?.close();
    this.#onClosed();
  }
}
