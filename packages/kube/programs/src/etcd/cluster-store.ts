import {
  type CommitResult,
  type Delete,
  type Put,
  type RangeOptions,
  type RangeResult,
  type Store,
  StoreUnavailableError,
  type WatchHandle,
  type WatchOptions,
} from '@hypershift-ts/kube-store';
import type { EtcdCluster } from './etcd-cluster.ts';

/** One client's connection to a builtin etcd cluster: survives restarts of the cluster, as a connection to etcd does. */
export class ClusterStore implements Store {
  readonly #cluster: EtcdCluster;
  readonly #onClose: () => void;
  readonly #watches = new Set<ResumedWatch>();
  #closed = false;

  constructor(cluster: EtcdCluster, onClose: () => void) {
    this.#cluster = cluster;
    this.#onClose = onClose;
  }

  async currentRevision(): Promise<number> {
    return this.#live().currentRevision();
  }

  async get(key: string, revision?: number): ReturnType<Store['get']> {
    return this.#live().get(key, revision);
  }

  async range(options: RangeOptions): Promise<RangeResult> {
    return this.#live().range(options);
  }

  async commit(operation: Put | Delete): Promise<CommitResult> {
    return this.#live().commit(operation);
  }

  async compact(revision: number): Promise<void> {
    return this.#live().compact(revision);
  }

  async compactedRevision(): Promise<number> {
    return this.#live().compactedRevision();
  }

  async snapshot(): Promise<Uint8Array> {
    return this.#live().snapshot();
  }

  size(): number {
    return this.#closed ? 0 : (this.#cluster.opened?.size() ?? 0);
  }

  watch(options: WatchOptions): WatchHandle {
    if (this.#closed) throw new StoreUnavailableError('the connection to etcd was closed');
    const watch: ResumedWatch = new ResumedWatch(options, this.#cluster, () => this.#watches.delete(watch));
    this.#watches.add(watch);
    watch.resume();
    return watch;
  }

  /** The cluster has opened its store (again): watches go on after what they saw last. */
  resume(): void {
    for (const watch of this.#watches) watch.resume();
  }

  async close(): Promise<void> {
    if (this.#closed) return;
    this.#closed = true;
    for (const watch of this.#watches) watch.close();
    this.#onClose();
  }

  #live(): Store {
    if (this.#closed) throw new StoreUnavailableError('the connection to etcd was closed');
    return this.#cluster.live();
  }
}

/** A watch that sleeps while the cluster is down. */
class ResumedWatch implements WatchHandle {
  private readonly options: WatchOptions;
  private readonly cluster: EtcdCluster;
  private readonly onGone: () => void;
  private after: number;
  private inner: WatchHandle | undefined;
  private closed = false;

  constructor(options: WatchOptions, cluster: EtcdCluster, onGone: () => void) {
    this.options = options;
    this.cluster = cluster;
    this.onGone = onGone;
    this.after = options.afterRevision;
  }

  resume(): void {
    const store = this.cluster.opened;
    if (this.closed || this.inner || !store) return;
    const { options } = this;
    this.inner = store.watch({
      start: options.start,
      end: options.end,
      afterRevision: this.after,
      onEvents: (events) => {
        this.after = events.at(-1)?.revision ?? this.after;
        options.onEvents(events);
      },
      onProgress: (revision) => {
        this.after = Math.max(this.after, revision);
        options.onProgress?.(revision);
      },
      onEnd: (error) => {
        this.inner = undefined;
        // The cluster stopped: it will be resumed. Everything else (compaction) is for the caller.
        if (error instanceof StoreUnavailableError && !this.cluster.isOpen) return;
        this.close();
        options.onEnd(error);
      },
    });
  }

  requestProgress(): void {
    this.inner?.requestProgress();
  }

  close(): void {
    this.closed = true;
    this.inner?.close();
    this.inner = undefined;
    this.onGone();
  }
}
