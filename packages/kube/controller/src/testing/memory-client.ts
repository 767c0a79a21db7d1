import type { KubeObject, Mutable, ObjectKey, ObjectMeta, ResourceType } from '@hypershift-ts/kube-apimachinery';
import {
  apiVersionOf,
  deepFreeze,
  isJsonObject,
  jsonClone,
  jsonEqual,
  statusErrors,
} from '@hypershift-ts/kube-apimachinery';
import type {
  ApplyObject,
  Client,
  ListOptions,
  NewObject,
  ObjectList,
  Patch,
  WatchEvent,
  WatchOptions,
  WriteOptions,
} from '@hypershift-ts/kube-client';

type AnyType = ResourceType<KubeObject>;
type Listener = (event: WatchEvent<KubeObject>) => void;

/** What happened, for tests that count writes: `create configmaps a/b`. */
export type CallLog = string[];

/** A little cluster for unit tests of this package: optimistic locking, generations, watches; no schemas, no selectors. */
export class MemoryClient implements Client {
  readonly calls: CallLog = [];
  /** Throw from here to make a call fail. */
  onCall: (verb: string, type: AnyType, key: string) => void = () => {};
  private readonly objects = new Map<string, Map<string, KubeObject>>();
  private readonly listeners = new Map<string, Set<Listener>>();
  private revision = 100;
  private uids = 0;

  get openWatches(): number {
    let count = 0;
    for (const set of this.listeners.values()) count += set.size;
    return count;
  }

  async get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): Promise<T> {
    const text = this.record('get', type, key);
    const found = this.objects.get(type.resource)?.get(text);
    if (!found) throw statusErrors.notFound(type, key.name);
    return found as T;
  }

  async list<T extends KubeObject>(type: ResourceType<T>, options: ListOptions = {}): Promise<ObjectList<T>> {
    this.record('list', type, { name: '' });
    const items = [...(this.objects.get(type.resource)?.values() ?? [])].filter(
      (object) => options.namespace === undefined || object.metadata.namespace === options.namespace,
    );
    return { metadata: { resourceVersion: String(this.revision) }, items: items as T[] };
  }

  async *watch<T extends KubeObject>(type: ResourceType<T>, options: WatchOptions = {}): AsyncIterable<WatchEvent<T>> {
    this.record('watch', type, { name: '' });
    const events: WatchEvent<KubeObject>[] = [];
    let wake = () => {};
    const listener: Listener = (event) => {
      if (options.namespace !== undefined && event.object.metadata.namespace !== options.namespace) return;
      events.push(event);
      wake();
    };
    const abort = () => wake();
    options.signal?.addEventListener('abort', abort);
    const listeners = this.listeners.get(type.resource) ?? new Set();
    this.listeners.set(type.resource, listeners);
    listeners.add(listener);
    try {
      if (options.sendInitialEvents) {
        for (const object of (await this.list(type, options)).items) events.push({ type: 'ADDED', object });
        const metadata = {
          resourceVersion: String(this.revision),
          annotations: { 'k8s.io/initial-events-end': 'true' },
        };
        events.push({ type: 'BOOKMARK', object: { apiVersion: apiVersionOf(type), kind: type.kind, metadata } });
      }
      while (!options.signal?.aborted) {
        const event = events.shift();
        if (event) yield event as WatchEvent<T>;
        else
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
      }
    } finally {
      options.signal?.removeEventListener('abort', abort);
      listeners.delete(listener);
    }
  }

  async create<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>): Promise<T> {
    const { name = `${object.metadata.generateName}${++this.uids}`, namespace } = object.metadata;
    const key = this.record('create', type, { name, ...(namespace ? { namespace } : {}) });
    if (this.objects.get(type.resource)?.has(key)) throw statusErrors.alreadyExists(type, name);
    const metadata = { ...object.metadata, name, uid: `uid-${++this.uids}`, generation: 1 };
    return this.store(type, key, 'ADDED', { ...object, metadata } as unknown as T);
  }

  async update<T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions): Promise<T> {
    const { name = '', namespace, resourceVersion } = object.metadata;
    const key = this.record(`update${options?.subresource ? `/${options.subresource}` : ''}`, type, {
      name,
      ...(namespace ? { namespace } : {}),
    });
    const live = this.objects.get(type.resource)?.get(key);
    if (!live) throw statusErrors.notFound(type, name);
    if (resourceVersion && resourceVersion !== live.metadata.resourceVersion) throw statusErrors.modified(type, name);
    return this.replace(type, key, live as T, object as unknown as T);
  }

  async patch<T extends KubeObject>(
    type: ResourceType<T>,
    key: ObjectKey,
    patch: Patch,
    options?: WriteOptions,
  ): Promise<T> {
    const text = this.record(`patch${options?.subresource ? `/${options.subresource}` : ''}`, type, key);
    const live = this.objects.get(type.resource)?.get(text);
    if (!live) throw statusErrors.notFound(type, key.name);
    if (patch.type !== 'merge') throw statusErrors.badRequest('only merge patches here');
    const wanted = (patch.body as { metadata?: ObjectMeta }).metadata?.resourceVersion;
    if (wanted && wanted !== live.metadata.resourceVersion) throw statusErrors.modified(type, key.name);
    return this.replace(type, text, live as T, merged(live, patch.body) as T);
  }

  async apply<T extends KubeObject>(type: ResourceType<T>, object: ApplyObject): Promise<T> {
    const text = this.record('apply', type, object.metadata);
    const live = this.objects.get(type.resource)?.get(text);
    if (live) return this.replace(type, text, live as T, merged(live, object) as T);
    const metadata = { ...object.metadata, uid: `uid-${++this.uids}`, generation: 1 };
    return this.store(type, text, 'ADDED', { ...object, metadata } as unknown as T);
  }

  async delete<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey): Promise<void> {
    const text = this.record('delete', type, key);
    const live = this.objects.get(type.resource)?.get(text);
    if (!live) throw statusErrors.notFound(type, key.name);
    if (live.metadata.finalizers?.length) {
      const metadata = { ...live.metadata, deletionTimestamp: '2026-01-01T00:00:00Z' };
      this.store(type, text, 'MODIFIED', { ...live, metadata } as T);
    } else this.erase(type, text, live);
  }

  async deleteCollection(type: AnyType): Promise<void> {
    for (const [key, object] of this.objects.get(type.resource) ?? []) this.erase(type, key, object);
  }

  raw(): never {
    throw new Error('not here');
  }

  async close(): Promise<void> {}

  private record(verb: string, type: AnyType, key: ObjectKey): string {
    const text = key.namespace ? `${key.namespace}/${key.name}` : key.name;
    this.calls.push(`${verb} ${type.resource}${text ? ` ${text}` : ''}`);
    this.onCall(verb, type, text);
    return text;
  }

  private replace<T extends KubeObject>(type: ResourceType<T>, key: string, live: T, next: T): T {
    const { resourceVersion: _rv, ...metadata } = next.metadata;
    const { resourceVersion: _old, ...liveMetadata } = live.metadata;
    const same = jsonEqual({ ...next, metadata }, { ...live, metadata: liveMetadata });
    if (same) return live;
    if (live.metadata.deletionTimestamp && !next.metadata.finalizers?.length) {
      this.erase(type, key, live);
      return live;
    }
    const specOf = (object: T) => (object as { spec?: unknown }).spec;
    const generation = (live.metadata.generation ?? 1) + (jsonEqual(specOf(live), specOf(next)) ? 0 : 1);
    return this.store(type, key, 'MODIFIED', { ...next, metadata: { ...metadata, generation } });
  }

  private store<T extends KubeObject>(type: ResourceType<T>, key: string, event: 'ADDED' | 'MODIFIED', object: T): T {
    const stored = jsonClone(object) as Mutable<T>;
    stored.apiVersion = apiVersionOf(type);
    stored.kind = type.kind;
    stored.metadata = { ...stored.metadata, resourceVersion: String(++this.revision) };
    const frozen = deepFreeze(stored as T);
    const objects = this.objects.get(type.resource) ?? new Map<string, KubeObject>();
    this.objects.set(type.resource, objects);
    objects.set(key, frozen);
    this.tell(type, { type: event, object: frozen });
    return frozen;
  }

  private erase(type: AnyType, key: string, live: KubeObject): void {
    this.objects.get(type.resource)?.delete(key);
    const metadata = { ...live.metadata, resourceVersion: String(++this.revision) };
    this.tell(type, { type: 'DELETED', object: deepFreeze({ ...live, metadata }) });
  }

  private tell(type: AnyType, event: WatchEvent<KubeObject>): void {
    for (const listener of this.listeners.get(type.resource) ?? []) listener(event);
  }
}

function merged(live: unknown, patch: unknown): unknown {
  if (!isJsonObject(patch) || !isJsonObject(live)) return patch;
  const result: Record<string, unknown> = { ...live };
  for (const [key, value] of Object.entries(patch)) {
    if (value === null) delete result[key];
    else if (value !== undefined) result[key] = merged(live[key], value);
  }
  return result;
}

/** Lets everything that is ready run; no time passes. */
export async function settle(turns = 20): Promise<void> {
  for (let i = 0; i < turns; i++) await new Promise((resolve) => setImmediate(resolve));
}
