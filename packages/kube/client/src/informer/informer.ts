import type { Clock, KubeObject, ObjectKey, ResourceType, Selector } from '@hypershift-ts/kube-apimachinery';
import { keyOf, systemClock } from '@hypershift-ts/kube-apimachinery';
import type { Random } from '../back-off.ts';
import type { Client, WatchEvent } from '../client.ts';
import type { IndexFunction } from './object-index.ts';
import { ObjectIndex } from './object-index.ts';
import type { ReflectorActivity, Scope } from './reflector.ts';
import { Reflector } from './reflector.ts';

/** Told of every change, in order and synchronously; must be quick (put a key on a queue) and must not edit objects. */
export interface InformerHandler<T extends KubeObject> {
  /** `initial`: the object was there already when the handler or the informer started. */
  added?(object: T, initial: boolean): void;
  updated?(previous: T, next: T): void;
  /** `finalStateUnknown`: the deletion was noticed by a relist, so `object` may not be the last version. */
  deleted?(object: T, finalStateUnknown: boolean): void;
}

export interface InformerOptions<T extends KubeObject> {
  readonly client: Client;
  readonly type: ResourceType<T>;
  readonly scope?: Scope;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Applied before an object is kept; must return a frozen value. The default keeps the shared object as it is. */
  readonly transform?: (object: T) => T;
  /** Failures that are being retried, and handlers that threw. */
  readonly onError?: (error: unknown, type: ResourceType<T>) => void;
}

const namespaceIndex = 'namespace';
const ownerIndex = 'owner-uid';

/** A local, always current copy of the objects of one type and scope. */
export class Informer<T extends KubeObject> {
  readonly type: ResourceType<T>;
  readonly scope: Scope;
  private readonly options: InformerOptions<T>;
  private readonly index = new ObjectIndex<T>();
  private readonly handlers = new Set<InformerHandler<T>>();
  private readonly reflector: Reflector<T>;
  private synced = false;
  private waiting: (() => void)[] = [];
  private state: 'new' | 'started' | 'stopped' = 'new';
  private running: Promise<void> = Promise.resolve();

  constructor(options: InformerOptions<T>) {
    this.options = options;
    this.type = options.type;
    this.scope = options.scope ?? {};
    this.reflector = new Reflector({
      client: options.client,
      type: options.type,
      scope: this.scope,
      sink: { replace: (objects) => this.replace(objects), apply: (event) => this.apply(event) },
      clock: options.clock ?? systemClock,
      random: options.random ?? Math.random,
      onError: (error) => options.onError?.(error, this.type),
    });
  }

  /** Begins to follow the server; a second call does nothing. */
  start(): void {
    if (this.state !== 'new') return;
    this.state = 'started';
    this.running = this.reflector.run();
  }

  /** Ends the watch, releases everybody waiting and forgets handlers and objects. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    this.reflector.stop();
    this.handlers.clear();
    this.releaseWaiting();
    await this.running;
    this.index.clear();
  }

  get activity(): Readonly<ReflectorActivity> {
    return this.reflector.activity;
  }

  get size(): number {
    return this.index.size;
  }

  /** True once the first complete list has been delivered to every handler. */
  hasSynced(): boolean {
    return this.synced;
  }

  /** Resolves true when synced, false when the informer stopped or the signal aborted first. */
  whenSynced(signal?: AbortSignal): Promise<boolean> {
    if (this.synced || signal?.aborted || this.state === 'stopped') return Promise.resolve(this.synced);
    return new Promise((resolve) => {
      const settle = () => {
        signal?.removeEventListener('abort', abandon);
        resolve(this.synced);
      };
      const abandon = () => {
        this.waiting = this.waiting.filter((other) => other !== settle);
        settle();
      };
      this.waiting.push(settle);
      signal?.addEventListener('abort', abandon, { once: true });
    });
  }

  /** Subscribes; objects already known are replayed at once. The returned function unsubscribes. */
  addHandler(handler: InformerHandler<T>): () => void {
    for (const object of this.index.values()) this.tell(() => handler.added?.(object, true));
    this.handlers.add(handler);
    return () => {
      this.handlers.delete(handler);
    };
  }

  get(key: ObjectKey | string): T | undefined {
    if (typeof key === 'string') return this.index.get(key);
    return this.index.get(key.namespace ? `${key.namespace}/${key.name}` : key.name);
  }

  /** The cached objects, of one namespace when given. */
  list(namespace?: string): T[] {
    if (namespace === undefined || namespace === this.scope.namespace) return [...this.index.values()];
    // Built on first use: most informers are never listed by namespace.
    this.index.addIndex(namespaceIndex, (object) => [object.metadata.namespace ?? '']);
    return this.index.byIndex(namespaceIndex, namespace);
  }

  /** The cached objects whose labels match, of one namespace when given. */
  select(selector: Selector, namespace?: string): T[] {
    return this.list(namespace).filter((object) => selector.matches(object.metadata.labels));
  }

  /** Objects that carry an owner reference to this uid. */
  ownedBy(uid: string): T[] {
    this.index.addIndex(ownerIndex, (object) => object.metadata.ownerReferences?.map((owner) => owner.uid) ?? []);
    return this.index.byIndex(ownerIndex, uid);
  }

  addIndex(name: string, valuesOf: IndexFunction<T>): void {
    this.index.addIndex(name, valuesOf);
  }

  byIndex(name: string, value: string): T[] {
    return this.index.byIndex(name, value);
  }

  private replace(objects: Iterable<T>): void {
    const initial = !this.synced;
    const gone = new Set(this.index.keys());
    for (const object of objects) {
      gone.delete(keyOf(object));
      this.put(object, initial);
    }
    for (const key of gone) this.remove(key, undefined);
    this.synced = true;
    this.releaseWaiting();
  }

  private apply(event: WatchEvent<T>): void {
    if (event.type === 'DELETED') this.remove(keyOf(event.object), event.object);
    else this.put(event.object, false);
  }

  private put(received: T, initial: boolean): void {
    const known = this.index.get(keyOf(received));
    if (known && isSameVersion(known, received)) return;
    const object = this.options.transform ? this.options.transform(received) : received;
    this.index.set(object);
    if (!known) this.notify((handler) => handler.added?.(object, initial));
    else if (known.metadata.uid === object.metadata.uid) this.notify((handler) => handler.updated?.(known, object));
    else {
      // Deleted and created again while we were not looking: two objects, not one that changed.
      this.notify((handler) => handler.deleted?.(known, true));
      this.notify((handler) => handler.added?.(object, false));
    }
  }

  private remove(key: string, last: T | undefined): void {
    const known = this.index.delete(key);
    if (!known) return;
    const object = last ? (this.options.transform?.(last) ?? last) : known;
    this.notify((handler) => handler.deleted?.(object, last === undefined));
  }

  private notify(call: (handler: InformerHandler<T>) => void): void {
    for (const handler of this.handlers) this.tell(() => call(handler));
  }

  private tell(call: () => void): void {
    try {
      call();
    } catch (error) {
      this.options.onError?.(error, this.type);
    }
  }

  private releaseWaiting(): void {
    const waiting = this.waiting;
    this.waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function isSameVersion(a: KubeObject, b: KubeObject): boolean {
  return (
    a.metadata.resourceVersion !== undefined &&
    a.metadata.resourceVersion === b.metadata.resourceVersion &&
    a.metadata.uid === b.metadata.uid
  );
}

/** A transform that drops managedFields; worthwhile over HTTPS, wasteful in process where objects are shared anyway. */
export function withoutManagedFields<T extends KubeObject>(object: T): T {
  if (!object.metadata.managedFields) return object;
  const { managedFields: _dropped, ...metadata } = object.metadata;
  return Object.freeze({ ...object, metadata: Object.freeze(metadata) });
}
