import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { ApplyObject, ApplyOptions, Client, Informer, InformerCache, NewObject } from '@hypershift-ts/kube-client';
import type { Patch, Scope, WriteOptions } from '@hypershift-ts/kube-client';
import type { Lookup } from './context.ts';

type Types = (type: ResourceType<KubeObject>) => boolean;

const ids = new WeakMap<ResourceType<KubeObject>, string>();

/** Asked for at every lookup, so every type's is made once. */
function idOf(type: ResourceType<KubeObject>): string {
  const known = ids.get(type);
  if (known !== undefined) return known;
  const id = `${type.group}/${type.resource}`;
  ids.set(type, id);
  return id;
}

const nameOf = ({ metadata }: KubeObject): string => metadata.name ?? '';
const versionOf = ({ metadata }: KubeObject): number => Number(metadata.resourceVersion ?? 0);

/**
 * What this process wrote and the informers have not seen yet. Decisions made on the state before one's own write
 * create things twice and lose races against oneself.
 */
export class OwnWrites {
  private readonly cache: InformerCache;
  private readonly scope: Scope & { readonly namespace: string };
  private readonly written = new Map<string, Map<string, KubeObject>>();
  private readonly followed = new Set<string>();
  private readonly informers = new Map<string, Informer<KubeObject>>();
  private readonly unsubscribe: (() => void)[] = [];
  private readonly own = new WeakSet<KubeObject>();
  /** Of every type, how often anything of it was different. */
  private readonly counts = new Map<string, number>();

  constructor(cache: InformerCache, namespace: string) {
    this.cache = cache;
    this.scope = { namespace };
  }

  /** Begins to follow a type; before the cache starts or after. */
  follow<T extends KubeObject>(type: ResourceType<T>): void {
    const id = idOf(type);
    if (this.followed.has(id)) return;
    this.followed.add(id);
    this.counts.set(id, 0);
    const seen = (object: T) => {
      this.count(id);
      this.settle(id, object);
    };
    const handler = { added: seen, updated: (_: T, next: T) => seen(next), deleted: seen };
    const informer = this.cache.informer(type, this.scope);
    this.informers.set(id, informer as unknown as Informer<KubeObject>);
    this.unsubscribe.push(informer.addHandler(handler));
  }

  stop(): void {
    for (const end of this.unsubscribe.splice(0)) end();
    this.written.clear();
  }

  /** Whether an object that an informer brought is as this process wrote it. */
  isOwn(object: KubeObject): boolean {
    return this.own.has(object);
  }

  /** Reads from the informers, and from what was written since; kinds that are not served are simply empty. */
  lookup(serves: Types): Lookup {
    const { namespace } = this.scope;
    return {
      changes: (type) => this.counts.get(idOf(type)),
      get: <T extends KubeObject>(type: ResourceType<T>, name: string) => {
        if (!serves(type)) return undefined;
        const id = idOf(type);
        const fresh = this.written.get(id)?.get(name);
        if (fresh) return fresh as T;
        const informer = this.informers.get(id);
        if (!informer?.hasSynced()) return this.cache.get(type, { namespace, name }, this.scope);
        return informer.get(`${namespace}/${name}`) as T | undefined;
      },
      list: <T extends KubeObject>(type: ResourceType<T>) => {
        if (!serves(type)) return [];
        const cached = this.cache.list(type, namespace, this.scope);
        const fresh = this.written.get(idOf(type));
        if (!fresh || fresh.size === 0) return cached;
        return [...cached.filter((object) => !fresh.has(nameOf(object))), ...(fresh.values() as Iterable<T>)];
      },
    };
  }

  /** The client whose writes are remembered. */
  client(inner: Client): Client {
    const saw = <T extends KubeObject>(type: ResourceType<T>, object: T, options: WriteOptions | undefined): T => {
      const isObject = options?.subresource === undefined || options.subresource === 'status';
      if (isObject && !options?.dryRun) this.record(type, object);
      return object;
    };
    return {
      get: inner.get.bind(inner),
      list: inner.list.bind(inner),
      watch: inner.watch.bind(inner),
      delete: inner.delete.bind(inner),
      deleteCollection: inner.deleteCollection.bind(inner),
      raw: inner.raw.bind(inner),
      close: inner.close.bind(inner),
      create: async <T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions) =>
        saw(type, await inner.create(type, object, options), options),
      update: async <T extends KubeObject>(type: ResourceType<T>, object: NewObject<T>, options?: WriteOptions) =>
        saw(type, await inner.update(type, object, options), options),
      patch: async <T extends KubeObject>(
        type: ResourceType<T>,
        key: Parameters<Client['patch']>[1],
        patch: Patch,
        options?: WriteOptions,
      ) => saw(type, await inner.patch(type, key, patch, options), options),
      apply: async <T extends KubeObject>(type: ResourceType<T>, object: ApplyObject, options: ApplyOptions) =>
        saw(type, await inner.apply<T>(type, object, options), options),
    };
  }

  private record(type: ResourceType<KubeObject>, object: KubeObject): void {
    const id = idOf(type);
    if (!this.followed.has(id) || object.metadata.namespace !== this.scope.namespace) return;
    const name = nameOf(object);
    const cached = this.cache.informer(type, this.scope).get({ namespace: this.scope.namespace, name });
    if (cached && versionOf(cached) >= versionOf(object)) return;
    const known = this.written.get(id) ?? new Map<string, KubeObject>();
    this.written.set(id, known.set(name, object));
    this.count(id);
  }

  private count(id: string): void {
    this.counts.set(id, (this.counts.get(id) ?? 0) + 1);
  }

  private settle(id: string, object: KubeObject): void {
    const known = this.written.get(id);
    const mine = known?.get(nameOf(object));
    if (!mine || versionOf(object) < versionOf(mine)) return;
    if (versionOf(object) === versionOf(mine)) this.own.add(object);
    known?.delete(nameOf(object));
  }
}
