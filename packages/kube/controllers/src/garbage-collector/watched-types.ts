import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { errorMessage, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import type { Informer, InformerCache } from '@hypershift-ts/kube-client';
import type { Logger } from '@hypershift-ts/kube-controller';
import type { ServedTypes } from '../discovery/served-types.ts';
import type { Place } from './owner-graph.ts';

export interface ObjectListener {
  appeared(type: ResourceType<KubeObject>, object: KubeObject, initial: boolean): void;
  changed(type: ResourceType<KubeObject>, before: KubeObject, next: KubeObject): void;
  vanished(type: ResourceType<KubeObject>, object: KubeObject): void;
}

interface Watched {
  readonly type: ResourceType<KubeObject>;
  readonly informer: Informer<KubeObject>;
  readonly leave: () => void;
}

/** Never owned and too many to look at. */
const ignored = new Set(['/events', 'events.k8s.io/events']);

/** Informers for every deletable type, custom ones as they come and go. */
export class WatchedTypes {
  private readonly options: { readonly cache: InformerCache; readonly served: ServedTypes; readonly log: Logger };
  private readonly listener: ObjectListener;
  private readonly byResource = new Map<string, Watched>();
  private readonly byKind = new Map<string, Watched>();
  private syncing: Promise<void> | undefined;
  private again = false;
  private stopped = false;

  constructor(options: WatchedTypes['options'], listener: ObjectListener) {
    this.options = options;
    this.listener = listener;
  }

  async start(signal: AbortSignal): Promise<void> {
    const { served, cache } = this.options;
    served.follow(cache);
    await this.sync();
    served.onChange(() => this.requestSync());
    // What is refused to us (403) must not hold up the rest: those types join when they can be read.
    const initial = [...this.byResource.values()].map(({ informer }) => informer.whenSynced(signal));
    await Promise.race([Promise.all(initial), aborted(signal)]);
  }

  stop(): void {
    this.stopped = true;
    for (const { leave } of this.byResource.values()) leave();
    this.byResource.clear();
    this.byKind.clear();
  }

  get({ type, key }: Place): KubeObject | undefined {
    return this.byResource.get(`${type.group}/${type.resource}`)?.informer.get(key);
  }

  /** The watched type of a reference's kind, whichever version it names. */
  typeOf(reference: { readonly apiVersion: string; readonly kind: string }): ResourceType<KubeObject> | undefined {
    return this.byKind.get(`${parseApiVersion(reference.apiVersion).group}/${reference.kind}`)?.type;
  }

  private requestSync(): void {
    if (this.syncing) this.again = true;
    else this.syncing = this.syncUntilSettled();
  }

  private async syncUntilSettled(): Promise<void> {
    do {
      this.again = false;
      try {
        await this.sync();
      } catch (error) {
        this.options.log.warn({ err: error }, `could not learn what is served: ${errorMessage(error)}`);
      }
    } while (this.again && !this.stopped);
    this.syncing = undefined;
  }

  private async sync(): Promise<void> {
    const { served, cache } = this.options;
    const types = await served.withVerbs('delete', 'list', 'watch');
    if (this.stopped) return;
    const wanted = new Set<string>();
    for (const type of types) {
      const name = `${type.group}/${type.resource}`;
      if (ignored.has(name)) continue;
      wanted.add(name);
      const known = this.byResource.get(name);
      if (known?.type.version === type.version) continue;
      if (known) this.forget(name, known);
      this.watch(name, { ...plain(type) }, cache);
    }
    for (const [name, watched] of this.byResource) {
      if (wanted.has(name)) continue;
      this.forget(name, watched);
      // Nobody can read a type that is no longer served; its informer would retry for ever.
      void cache.drop(watched.type);
    }
  }

  private watch(name: string, type: ResourceType<KubeObject>, cache: InformerCache): void {
    const informer = cache.informer(type);
    const leave = informer.addHandler({
      added: (object, initial) => this.listener.appeared(type, object, initial),
      updated: (before, next) => this.listener.changed(type, before, next),
      deleted: (object) => this.listener.vanished(type, object),
    });
    const watched = { type, informer, leave };
    this.byResource.set(name, watched);
    this.byKind.set(`${type.group}/${type.kind}`, watched);
  }

  private forget(name: string, watched: Watched): void {
    watched.leave();
    for (const object of watched.informer.list()) this.listener.vanished(watched.type, object);
    this.byResource.delete(name);
    this.byKind.delete(`${watched.type.group}/${watched.type.kind}`);
  }
}

function plain({ group, version, kind, resource, namespaced }: ResourceType<KubeObject>): ResourceType<KubeObject> {
  return { group, version, kind, resource, namespaced };
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
