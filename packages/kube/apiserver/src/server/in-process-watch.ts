import type { StatusError, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { WatchEvent, WatchOptions } from '@hypershift-ts/kube-client';
import type { WatchHandle } from '@hypershift-ts/kube-store';
import { type Registry, servedObject, type Target } from '../registry/registry.ts';
import { compileSelection } from '../registry/selection.ts';
import { startWatch, type WatchNotice, type WatchSink } from '../registry/watch.ts';
import { bookmarkObject } from '../representation/watch-frames.ts';

type Item = WatchEvent<UnstructuredObject> | WatchNotice;

/** A watch read as an async iteration inside the process. Objects are decoded when they are taken, and shared. */
export class InProcessWatch implements WatchSink {
  private readonly target: Target;
  private queue: Item[] = [];
  private error: StatusError | undefined;
  private ended = false;
  private wake: (() => void) | undefined;
  private handle: WatchHandle | undefined;
  private cancelTimeout: (() => void) | undefined;
  private readonly stop = (): void => this.end();
  private readonly signals: readonly (AbortSignal | undefined)[];

  private constructor(target: Target, signals: readonly (AbortSignal | undefined)[]) {
    this.target = target;
    this.signals = signals;
  }

  static async start(
    registry: Registry,
    target: Target,
    options: WatchOptions,
    closed: AbortSignal,
  ): Promise<InProcessWatch> {
    const watch = new InProcessWatch(target, [options.signal, closed]);
    const request = {
      namespace: target.namespace,
      selection: compileSelection(target.resource, options.labelSelector ?? '', options.fieldSelector ?? ''),
      resourceVersion: options.resourceVersion ?? '',
      ...(options.sendInitialEvents === undefined ? {} : { sendInitialEvents: options.sendInitialEvents }),
      allowBookmarks: options.allowWatchBookmarks ?? false,
    };
    watch.handle = await startWatch(registry, target.resource, request, watch);
    if (watch.signals.some((signal) => signal?.aborted)) watch.end();
    if (watch.ended) {
      // It failed or was given up before there was anything to close; from here on nobody would end it again.
      watch.handle.close();
      return watch;
    }
    for (const signal of watch.signals) signal?.addEventListener('abort', watch.stop, { once: true });
    if (options.timeoutSeconds) watch.cancelTimeout = registry.clock.after(options.timeoutSeconds * 1000, watch.stop);
    return watch;
  }

  async *events(): AsyncGenerator<WatchEvent<UnstructuredObject>> {
    for (;;) {
      const batch = this.queue;
      this.queue = [];
      for (const item of batch) yield 'entry' in item ? this.eventOf(item) : item;
      // A generator that waits keeps its variables: a burst of objects must not stay until something happens again.
      batch.length = 0;
      if (this.queue.length > 0) continue;
      if (this.error) throw this.error;
      if (this.ended) return;
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  notice(notice: WatchNotice): void {
    this.push(notice);
  }

  bookmark(revision: number, initialEnd: boolean): void {
    const { apiVersion, kind } = this.target.resource;
    this.push({
      type: 'BOOKMARK',
      object: bookmarkObject(apiVersion, kind, revision, initialEnd) as UnstructuredObject,
    });
  }

  fail(error: StatusError): void {
    this.error = error;
    this.end();
  }

  close(): void {
    this.end();
  }

  private end(): void {
    if (!this.ended) {
      this.ended = true;
      this.handle?.close();
      this.cancelTimeout?.();
      for (const signal of this.signals) signal?.removeEventListener('abort', this.stop);
    }
    this.wake?.();
  }

  private push(item: Item): void {
    if (this.ended) return;
    this.queue.push(item);
    this.wake?.();
    this.wake = undefined;
  }

  private eventOf(notice: WatchNotice): WatchEvent<UnstructuredObject> | Promise<WatchEvent<UnstructuredObject>> {
    const object = servedObject(this.target.resource, notice.entry);
    return object instanceof Promise ? object.then((served) => eventWith(notice, served)) : eventWith(notice, object);
  }
}

function eventWith({ type, revision }: WatchNotice, object: UnstructuredObject): WatchEvent<UnstructuredObject> {
  if (type !== 'DELETED') return { type, object };
  const metadata = Object.freeze({ ...object.metadata, resourceVersion: String(revision) });
  return { type, object: Object.freeze({ ...object, metadata }) };
}
