import type { ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Client, Informer, InformerCache } from '@hypershift-ts/kube-client';
import { KindNotServed, type ObjectRef, ResourceTypes } from './resource-types.ts';

export interface ExternalObject {
  readonly type: ResourceType;
  /** Absent when there is no such object. */
  readonly object: UnstructuredObject | undefined;
}

/** `before` is there only when the object was there already, and still is. */
type ExternalListener = (object: UnstructuredObject, before?: UnstructuredObject) => void;

/**
 * Objects of kinds that only a reference names (infrastructure, bootstrap, control plane, their templates). A kind is
 * watched in the namespace from the first time somebody asks for one of its objects.
 */
export class ExternalObjects {
  private readonly cache: InformerCache;
  private readonly namespace: string;
  private readonly types: ResourceTypes;
  private readonly watched = new Map<string, Informer<UnstructuredObject>>();
  private readonly listeners = new Set<ExternalListener>();

  constructor(client: Client, cache: InformerCache, namespace: string) {
    this.cache = cache;
    this.namespace = namespace;
    this.types = new ResourceTypes(client);
  }

  /** Told of every object of a watched kind that came, changed or went; the returned function ends that. */
  onChange(listener: ExternalListener): () => void {
    this.listeners.add(listener);
    return () => {
      this.listeners.delete(listener);
    };
  }

  typeOf(ref: ObjectRef): Promise<ResourceType> {
    return this.types.typeOf(ref);
  }

  /** The object as the cache has it. */
  async get(ref: ObjectRef, signal: AbortSignal): Promise<ExternalObject> {
    const type = await this.types.typeOf(ref);
    const informer = this.watch(type);
    if (!informer.hasSynced() && !(await informer.whenSynced(signal))) {
      throw new Error(`stopped before ${type.resource} of ${type.group}/${type.version} could be listed`);
    }
    return { type, object: informer.get({ namespace: this.namespace, name: ref.name ?? '' }) };
  }

  /** As get(), for callers to whom a kind that nobody serves is the same as an object that nobody made. */
  async find(ref: ObjectRef, signal: AbortSignal): Promise<Partial<ExternalObject>> {
    try {
      return await this.get(ref, signal);
    } catch (error) {
      if (error instanceof KindNotServed) return {};
      throw error;
    }
  }

  private watch(type: ResourceType): Informer<UnstructuredObject> {
    const key = `${type.group}/${type.version}/${type.resource}`;
    const known = this.watched.get(key);
    if (known) return known;
    const informer = this.cache.informer(type, { namespace: this.namespace });
    this.watched.set(key, informer);
    const tell = (object: UnstructuredObject, before?: UnstructuredObject) => {
      for (const listener of this.listeners) listener(object, before);
    };
    informer.addHandler({
      added: (object) => tell(object),
      updated: (before, next) => tell(next, before),
      deleted: (object) => tell(object),
    });
    return informer;
  }
}
