import type { Clock, KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Random } from '../back-off.ts';
import type { Client } from '../client.ts';
import { Informer } from './informer.ts';
import type { Scope } from './reflector.ts';

export interface InformerCacheOptions {
  readonly client: Client;
  readonly clock?: Clock;
  readonly random?: Random;
  /** Applied to every object of every informer; see withoutManagedFields. */
  readonly transform?: <T extends KubeObject>(object: T) => T;
  readonly onError?: (error: unknown, type: ResourceType<KubeObject>) => void;
}

/** The informers of one cluster: one per type and scope, shared by everybody who asks. */
export class InformerCache {
  readonly client: Client;
  private readonly options: InformerCacheOptions;
  private readonly informers = new Map<string, Informer<KubeObject>>();
  private state: 'new' | 'started' | 'stopped' = 'new';

  constructor(options: InformerCacheOptions) {
    this.options = options;
    this.client = options.client;
  }

  /** The shared informer of this type and scope. It starts with the cache, or at once when the cache already runs. */
  informer<T extends KubeObject>(type: ResourceType<T>, scope: Scope = {}): Informer<T> {
    const key = informerKey(type, scope);
    const known = this.informers.get(key);
    // One key always means one type, so the object type is the one it was made with.
    if (known) return known as unknown as Informer<T>;
    const { client, clock, random, transform, onError } = this.options;
    const informer = new Informer<T>({
      client,
      type,
      scope,
      ...(clock ? { clock } : {}),
      ...(random ? { random } : {}),
      ...(transform ? { transform } : {}),
      ...(onError ? { onError: (error) => onError(error, type) } : {}),
    });
    this.informers.set(key, informer as unknown as Informer<KubeObject>);
    if (this.state === 'started') informer.start();
    return informer;
  }

  /** A cached object; throws when nobody has set up the informer, because "absent" would be a lie. */
  get<T extends KubeObject>(type: ResourceType<T>, key: ObjectKey, scope: Scope = {}): T | undefined {
    return this.synced(type, scope).get(key);
  }

  /** Cached objects of a type; see get(). */
  list<T extends KubeObject>(type: ResourceType<T>, namespace?: string, scope: Scope = {}): T[] {
    return this.synced(type, scope).list(namespace);
  }

  start(): void {
    if (this.state !== 'new') return;
    this.state = 'started';
    for (const informer of this.informers.values()) informer.start();
  }

  /** True when every informer known at the time of the call has synced; false when stopped or aborted first. */
  async whenSynced(signal?: AbortSignal): Promise<boolean> {
    for (const informer of this.informers.values()) if (!(await informer.whenSynced(signal))) return false;
    return true;
  }

  /** Stops and forgets one informer; whoever still holds it keeps an empty one. */
  async drop<T extends KubeObject>(type: ResourceType<T>, scope: Scope = {}): Promise<void> {
    const key = informerKey(type, scope);
    const informer = this.informers.get(key);
    this.informers.delete(key);
    await informer?.stop();
  }

  /** Stops every informer and waits until their watches have ended. */
  async stop(): Promise<void> {
    this.state = 'stopped';
    const informers = [...this.informers.values()];
    this.informers.clear();
    await Promise.all(informers.map((informer) => informer.stop()));
  }

  /** For metrics and debugging. */
  all(): Iterable<Informer<KubeObject>> {
    return this.informers.values();
  }

  private synced<T extends KubeObject>(type: ResourceType<T>, scope: Scope): Informer<T> {
    const informer = this.informers.get(informerKey(type, scope));
    if (!informer) {
      throw new Error(`no informer for ${type.resource}; watch the type in a controller or call informer() first`);
    }
    if (!informer.hasSynced()) throw new Error(`the informer for ${type.resource} has not synced yet`);
    return informer as unknown as Informer<T>;
  }
}

const typeKeys = new WeakMap<ResourceType<KubeObject>, string>();

/** Asked for at every lookup, so the part of the type is made once. */
function typeKey(type: ResourceType<KubeObject>): string {
  const known = typeKeys.get(type);
  if (known !== undefined) return known;
  const key = `${type.group}|${type.version}|${type.resource}`;
  typeKeys.set(type, key);
  return key;
}

function informerKey(type: ResourceType<KubeObject>, scope: Scope): string {
  const { namespace = '', labelSelector = '', fieldSelector = '' } = scope;
  const isEverything = namespace === '' && labelSelector === '' && fieldSelector === '';
  return isEverything ? typeKey(type) : `${typeKey(type)}|${namespace}|${labelSelector}|${fieldSelector}`;
}
