import type { Clock } from '@hypershift-ts/kube-apimachinery';

export interface CacheOptions {
  readonly clock: Clock;
  readonly maxEntries: number;
  /** Absent: entries stay until newer ones push them out. */
  readonly ttlMs?: number;
}

interface Flight<V> {
  readonly promise: Promise<V>;
  readonly controller: AbortController;
  waiting: number;
}

/**
 * Keeps the least recently used values within bounds, and loads each key once however many ask for it. One caller's
 * abort does not disturb the others; when the last one leaves, the load is aborted. Failures are not kept.
 */
export class SharedCache<V> {
  private readonly entries = new Map<string, { readonly value: V; readonly until: number }>();
  private readonly flights = new Map<string, Flight<V>>();
  private readonly options: CacheOptions;

  constructor(options: CacheOptions) {
    this.options = options;
  }

  get size(): number {
    return this.entries.size;
  }

  get(key: string, load: (signal: AbortSignal) => Promise<V>, signal?: AbortSignal): Promise<V> {
    const known = this.peek(key);
    if (known !== undefined) return Promise.resolve(known);
    if (signal?.aborted) return Promise.reject(reasonOf(signal));
    return this.wait(key, this.flights.get(key) ?? this.start(key, load), signal);
  }

  /** The value, when it is there and fresh. */
  peek(key: string): V | undefined {
    const entry = this.entries.get(key);
    if (!entry) return undefined;
    this.entries.delete(key);
    if (entry.until <= this.options.clock.now()) return undefined;
    this.entries.set(key, entry);
    return entry.value;
  }

  set(key: string, value: V): void {
    const { clock, maxEntries, ttlMs } = this.options;
    this.entries.delete(key);
    this.entries.set(key, { value, until: ttlMs === undefined ? Number.POSITIVE_INFINITY : clock.now() + ttlMs });
    if (this.entries.size > maxEntries) this.entries.delete(this.entries.keys().next().value as string);
  }

  private start(key: string, load: (signal: AbortSignal) => Promise<V>): Flight<V> {
    const controller = new AbortController();
    const promise = load(controller.signal).then(
      (value) => {
        this.land(key, flight);
        this.set(key, value);
        return value;
      },
      (error: unknown) => {
        this.land(key, flight);
        throw error;
      },
    );
    const flight: Flight<V> = { promise, controller, waiting: 0 };
    this.flights.set(key, flight);
    return flight;
  }

  private land(key: string, flight: Flight<V>): void {
    if (this.flights.get(key) === flight) this.flights.delete(key);
  }

  private async wait(key: string, flight: Flight<V>, signal: AbortSignal | undefined): Promise<V> {
    flight.waiting++;
    let stop: (() => void) | undefined;
    try {
      if (!signal) return await flight.promise;
      const aborted = new Promise<never>((_, reject) => {
        stop = () => reject(reasonOf(signal));
        signal.addEventListener('abort', stop, { once: true });
      });
      return await Promise.race([flight.promise, aborted]);
    } finally {
      if (stop) signal?.removeEventListener('abort', stop);
      if (--flight.waiting === 0 && this.flights.get(key) === flight) {
        this.flights.delete(key);
        flight.controller.abort(new Error('nobody waits for this any more'));
        flight.promise.catch(() => undefined);
      }
    }
  }
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : new Error('aborted');
}
