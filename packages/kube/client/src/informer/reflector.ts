import type { Clock, KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { delay, isExpired, isInvalid, keyOf, StatusError } from '@hypershift-ts/kube-apimachinery';
import type { Random } from '../back-off.ts';
import { BackOff } from '../back-off.ts';
import type { Client, WatchEvent, WatchOptions } from '../client.ts';

/** Which objects of a type to follow. */
export interface Scope {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
}

/** Where a reflector puts what it learns. */
export interface ReflectorSink<T extends KubeObject> {
  /** This is everything there is, as of now. */
  replace(objects: Iterable<T>): void;
  apply(event: WatchEvent<T>): void;
}

export interface ReflectorOptions<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly scope: Scope;
  readonly sink: ReflectorSink<T>;
  readonly clock: Clock;
  readonly random: Random;
  /** Called for every failure that leads to a retry. */
  readonly onError?: (error: unknown) => void;
}

/** What a reflector has been doing; read when metrics are collected, so keeping it costs nothing. */
export interface ReflectorActivity {
  lists: number;
  watches: number;
  failures: number;
  /** When anything (event, bookmark, list) last arrived; 0 before the first. */
  lastActivityMs: number;
  resourceVersion: string | undefined;
  lastError: unknown;
}

const pageSize = 500;
const initialEventsEnd = 'k8s.io/initial-events-end';
/** A server that ignores sendInitialEvents never sends the closing bookmark; this much silence gives it away. */
const streamingListPatienceMs = 10_000;
/** A watch that ends sooner than this without a single event is a failing one, whatever it says. */
const shortestHonestWatchMs = 1_000;

/** Clients whose server turned out not to know streaming lists. */
const withoutStreamingList = new WeakSet<Client>();

class StreamingListUnsupported extends Error {}

/** Gives up when nothing at all has been heard for a while. */
class Patience {
  heard = false;
  exhausted = false;
  private cancel: () => void = () => {};

  constructor(clock: Clock, giveUp: () => void) {
    const arm = () => {
      this.heard = false;
      this.cancel = clock.after(streamingListPatienceMs, () => {
        if (this.heard) return arm();
        this.exhausted = true;
        giveUp();
      });
    };
    arm();
  }

  end(): void {
    this.cancel();
  }
}

/** Keeps a sink equal to the server: list (streamed or paged), then watch for ever, resuming and relisting as needed. */
export class Reflector<T extends KubeObject> {
  readonly activity: ReflectorActivity = {
    lists: 0,
    watches: 0,
    failures: 0,
    lastActivityMs: 0,
    resourceVersion: undefined,
    lastError: undefined,
  };
  private readonly options: ReflectorOptions<T>;
  /** The server failed while it streamed; the next list is asked for in pages. */
  private pagesNext = false;
  /** Ends the request or the wait in progress. */
  private attempt = new AbortController();
  private stopped = false;
  /** For servers that cannot be reached or fail: forgotten as soon as anything arrives. */
  private readonly reconnecting: BackOff;
  /** For lists that had to be repeated: a list succeeding proves nothing if the watch after it is refused again. */
  private readonly relisting: BackOff;

  constructor(options: ReflectorOptions<T>) {
    this.options = options;
    const growth = { initialMs: 250, maxMs: 30_000, factor: 2, jitter: 1, resetAfterMs: 30_000 };
    this.reconnecting = new BackOff(growth, options.clock, options.random);
    this.relisting = new BackOff(growth, options.clock, options.random);
  }

  /** Runs until stop(); never rejects. */
  async run(): Promise<void> {
    while (!this.stopped) {
      if (this.attempt.signal.aborted) this.attempt = new AbortController();
      try {
        await this.follow();
      } catch (error) {
        if (this.stopped) return;
        if (error instanceof StreamingListUnsupported) continue;
        this.activity.failures++;
        this.activity.lastError = error;
        // Anything but a lost connection or an overloaded server puts the resume point itself in doubt.
        if (!isTransient(error)) this.activity.resourceVersion = undefined;
        this.options.onError?.(error);
        const backOff = isExpired(error) ? this.relisting : this.reconnecting;
        const wait = Math.max(backOff.next(), retryAfterMs(error));
        await delay(this.options.clock, wait, this.attempt.signal);
      }
    }
  }

  stop(): void {
    this.stopped = true;
    this.attempt.abort();
  }

  private async follow(): Promise<void> {
    if (this.activity.resourceVersion !== undefined) return this.watch();
    const inPages = this.pagesNext || withoutStreamingList.has(this.options.client);
    this.pagesNext = false;
    return inPages ? this.listInPages() : this.streamList();
  }

  private watchOptions(): WatchOptions {
    return {
      ...this.options.scope,
      allowWatchBookmarks: true,
      timeoutSeconds: 300 + Math.floor(this.options.random() * 300),
      signal: this.attempt.signal,
    };
  }

  /** One request that delivers the list as events and then stays open as the watch. */
  private async streamList(): Promise<void> {
    const patience = new Patience(this.options.clock, () => this.attempt.abort());
    // Undefined once complete: what lives as long as the watch must not hold on to the list.
    let found: Map<string, T> | undefined = new Map();
    try {
      const events = this.options.client.watch(this.options.type, {
        ...this.watchOptions(),
        sendInitialEvents: true,
        resourceVersionMatch: 'NotOlderThan',
      });
      for await (const event of events) {
        if (this.stopped) return;
        patience.heard = true;
        if (!found) this.take(event);
        else if (event.type === 'BOOKMARK') {
          if (event.object.metadata.annotations?.[initialEventsEnd] !== 'true') continue;
          patience.end();
          this.options.sink.replace(found.values());
          found = undefined;
          this.activity.lists++;
          this.progress(event.object.metadata.resourceVersion);
        } else if (event.type === 'DELETED') found.delete(keyOf(event.object));
        else found.set(keyOf(event.object), event.object);
      }
      if (found && !this.stopped) throw new Error('the watch ended before the initial list was complete');
    } catch (error) {
      // Servers without the feature reject the parameter; the paged list tells whether anything else is wrong.
      const rejected = isInvalid(error) || (error instanceof StatusError && error.code === 400);
      if (rejected || patience.exhausted) throw this.markUnsupported();
      // Others know it but cannot (an etcd too old for it), and say so as a fault of their own.
      if (found && error instanceof StatusError && error.code === 500) {
        this.pagesNext = true;
        throw new StreamingListUnsupported();
      }
      throw error;
    } finally {
      patience.end();
    }
  }

  private markUnsupported(): Error {
    withoutStreamingList.add(this.options.client);
    return new StreamingListUnsupported();
  }

  private async listInPages(): Promise<void> {
    const { client, type, scope, sink } = this.options;
    const found: T[] = [];
    let token: string | undefined;
    let limit: number | undefined = pageSize;
    for (;;) {
      try {
        const page = await client.list(type, {
          ...scope,
          signal: this.attempt.signal,
          ...(limit === undefined ? {} : { limit }),
          ...(token ? { continue: token } : {}),
        });
        for (const item of page.items) found.push(item);
        token = page.metadata.continue;
        if (token) continue;
        sink.replace(found);
        this.activity.lists++;
        this.progress(page.metadata.resourceVersion);
        return;
      } catch (error) {
        // The snapshot behind the token was compacted: take everything in one answer instead.
        if (!token || !isExpired(error)) throw error;
        found.length = 0;
        token = undefined;
        limit = undefined;
      }
    }
  }

  private async watch(): Promise<void> {
    const started = this.options.clock.now();
    let events = 0;
    this.activity.watches++;
    const from = this.activity.resourceVersion;
    const stream = this.options.client.watch(this.options.type, {
      ...this.watchOptions(),
      ...(from === undefined ? {} : { resourceVersion: from }),
    });
    for await (const event of stream) {
      if (this.stopped) return;
      events++;
      this.take(event);
    }
    if (events === 0 && this.options.clock.now() - started < shortestHonestWatchMs && !this.stopped) {
      throw new StatusError(503, 'ServiceUnavailable', 'very short watch: it ended at once without any event');
    }
  }

  private take(event: WatchEvent<T>): void {
    if (event.type !== 'BOOKMARK') this.options.sink.apply(event);
    this.progress(event.object.metadata.resourceVersion);
  }

  private progress(resourceVersion: string | undefined): void {
    if (resourceVersion) this.activity.resourceVersion = resourceVersion;
    this.activity.lastActivityMs = this.options.clock.now();
    this.reconnecting.reset();
  }
}

/** Failures after which the last seen resourceVersion is still a good place to resume from. */
function isTransient(error: unknown): boolean {
  if (!(error instanceof StatusError)) return true;
  if (error.details?.causes?.some((cause) => cause.reason === 'ResourceVersionTooLarge')) return false;
  return error.code === 429 || error.code >= 500;
}

function retryAfterMs(error: unknown): number {
  return error instanceof StatusError ? (error.details?.retryAfterSeconds ?? 0) * 1000 : 0;
}
