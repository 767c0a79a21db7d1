import { type Clock, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Store, StoreEvent, WatchHandle } from '@hypershift-ts/kube-store';
import { decodeStored } from './codec.ts';
import { keyRange } from './keys.ts';

/** Told about every object of a resource, now and later, in the stored version. */
export interface ObjectObserver {
  readonly onSet: (object: UnstructuredObject) => void;
  readonly onGone: (object: UnstructuredObject) => void;
}

const retryMs = 1000;

/**
 * Follows the objects of one resource straight from the store; for what the server itself must know at once
 * (roles, CRDs, webhooks). A lost watch is begun again from a fresh list without missing a deletion.
 */
export class WatchedObjects {
  private readonly store: Store;
  private readonly range: { start: string; end: string };
  private readonly observer: ObjectObserver;
  private readonly clock: Clock;
  private readonly known = new Map<string, UnstructuredObject>();
  private handle: WatchHandle | undefined;
  private stopped = false;

  constructor(store: Store, prefix: string, clock: Clock, observer: ObjectObserver) {
    this.store = store;
    this.range = keyRange(prefix, undefined);
    this.observer = observer;
    this.clock = clock;
  }

  /** Resolves when everything that exists has been told. */
  async start(): Promise<void> {
    const { entries, revision } = await this.store.range(this.range);
    if (this.stopped) return;
    const present = new Set<string>();
    for (const entry of entries) {
      present.add(entry.key);
      const object = decodeStored(entry);
      if (this.known.get(entry.key)?.metadata.resourceVersion !== object.metadata.resourceVersion)
        this.set(entry.key, object);
    }
    for (const key of this.known.keys()) if (!present.has(key)) this.gone(key);
    this.handle = this.store.watch({
      ...this.range,
      afterRevision: revision,
      onEvents: (events) => events.forEach((event) => this.observe(event)),
      onEnd: () => this.restart(),
    });
  }

  stop(): void {
    this.stopped = true;
    this.handle?.close();
  }

  private observe(event: StoreEvent): void {
    if (event.type === 'put') this.set(event.entry.key, decodeStored(event.entry));
    else this.gone(event.key);
  }

  private set(key: string, object: UnstructuredObject): void {
    this.known.set(key, object);
    this.observer.onSet(object);
  }

  private gone(key: string): void {
    const object = this.known.get(key);
    if (!object) return;
    this.known.delete(key);
    this.observer.onGone(object);
  }

  private restart(): void {
    if (this.stopped) return;
    this.clock.after(retryMs, () => {
      this.start().catch(() => this.restart());
    });
  }
}
