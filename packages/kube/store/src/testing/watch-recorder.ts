import { prefixEnd, type Store, type StoreEvent, type WatchHandle } from '../store.ts';

/** A watch that remembers what it saw and can be waited for, so that tests need no sleeping. */
export class WatchRecorder {
  readonly events: StoreEvent[] = [];
  readonly progress: number[] = [];
  error: Error | undefined;
  readonly handle: WatchHandle;
  #waiting: { readonly done: () => boolean; readonly resolve: () => void }[] = [];

  constructor(store: Store, prefix: string, afterRevision: number) {
    this.handle = store.watch({
      start: prefix,
      end: prefixEnd(prefix),
      afterRevision,
      onEvents: (events) => {
        this.events.push(...events);
        this.#check();
      },
      onProgress: (revision) => {
        this.progress.push(revision);
        this.#check();
      },
      onEnd: (error) => {
        this.error = error;
        this.#check();
      },
    });
  }

  /** Resolves when so many events have been seen. */
  async seen(count: number): Promise<readonly StoreEvent[]> {
    await this.until(() => this.events.length >= count || this.error !== undefined);
    if (this.error) throw this.error;
    return this.events;
  }

  /** Resolves with the error that ended the watch. */
  async ended(): Promise<Error> {
    await this.until(() => this.error !== undefined);
    return this.error as Error;
  }

  until(done: () => boolean): Promise<void> {
    if (done()) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push({ done, resolve }));
  }

  #check(): void {
    const ready = this.#waiting.filter((waiting) => waiting.done());
    this.#waiting = this.#waiting.filter((waiting) => !ready.includes(waiting));
    for (const { resolve } of ready) resolve();
  }
}

/** An event in short: "put /key=value" or "delete /key (was value)". */
export function brief(event: StoreEvent): string {
  if (event.type === 'put') return `put ${event.entry.key}=${event.entry.value}`;
  return `delete ${event.key} (was ${event.previous?.value ?? 'unknown'})`;
}
