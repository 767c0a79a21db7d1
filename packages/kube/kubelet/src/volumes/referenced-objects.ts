import { isNotFound, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client, Informer, InformerCache } from '@hypershift-ts/kube-client';
import { Informer as ObjectInformer } from '@hypershift-ts/kube-client';

/** Objects that pods refer to by name, always current. */
export interface ReferencedObjects {
  get<T extends KubeObject>(type: ResourceType<T>, namespace: string, name: string): Promise<T | undefined>;
  /** Calls back after every change of that object until the returned function is called. */
  follow<T extends KubeObject>(type: ResourceType<T>, namespace: string, name: string, changed: () => void): () => void;
  stop(): Promise<void>;
}

/**
 * One informer per kind for all pods: cheapest where the kubelet may read every object and objects are shared in memory.
 * What the cache does not know yet is asked for with the kubelet's own client.
 */
export function sharedObjects(cache: InformerCache, client: Client): ReferencedObjects {
  const followers = new Map<ResourceType<KubeObject>, Map<string, Set<() => void>>>();
  const endings: (() => void)[] = [];
  const informerOf = <T extends KubeObject>(type: ResourceType<T>): Informer<T> => {
    const informer = cache.informer(type);
    if (followers.has(type)) return informer;
    const byKey = new Map<string, Set<() => void>>();
    followers.set(type, byKey);
    const tell = ({ metadata }: KubeObject) => {
      for (const changed of byKey.get(`${metadata.namespace}/${metadata.name}`) ?? []) changed();
    };
    endings.push(informer.addHandler({ added: tell, updated: (_previous, next) => tell(next), deleted: tell }));
    return informer;
  };
  return {
    async get(type, namespace, name) {
      const informer = informerOf(type);
      await informer.whenSynced();
      // A pod may be seen before the object it was created together with.
      return informer.get(`${namespace}/${name}`) ?? liveObject(client, type, namespace, name);
    },
    follow(type, namespace, name, changed) {
      informerOf(type);
      return addFollower(followers.get(type) as Map<string, Set<() => void>>, `${namespace}/${name}`, changed);
    },
    async stop() {
      for (const end of endings.splice(0)) end();
      followers.clear();
    },
  };
}

/** One watch per object, as real kubelets do it: node credentials may read only what their own pods refer to. */
export function namedObjects(client: Client): ReferencedObjects {
  const watched = new Map<string, { readonly informer: Informer<KubeObject>; readonly followers: Set<() => void> }>();
  const keyOf = (type: ResourceType<KubeObject>, namespace: string, name: string) =>
    `${type.resource}/${namespace}/${name}`;
  return {
    async get(type, namespace, name) {
      const entry = watched.get(keyOf(type, namespace, name));
      if (entry && (await entry.informer.whenSynced())) return entry.informer.list()[0] as never;
      return liveObject(client, type, namespace, name);
    },
    follow(type, namespace, name, changed) {
      const key = keyOf(type, namespace, name);
      let entry = watched.get(key);
      if (!entry) {
        const followers = new Set<() => void>();
        const informer = new ObjectInformer<KubeObject>({
          client,
          type,
          scope: { namespace, fieldSelector: `metadata.name=${name}` },
        });
        const tell = () => {
          for (const one of followers) one();
        };
        informer.addHandler({
          added: (_object, initial) => (initial ? undefined : tell()),
          updated: tell,
          deleted: tell,
        });
        entry = { informer, followers };
        watched.set(key, entry);
        informer.start();
      }
      const { followers, informer } = entry;
      followers.add(changed);
      return () => {
        followers.delete(changed);
        if (followers.size > 0 || watched.get(key)?.informer !== informer) return;
        watched.delete(key);
        void informer.stop();
      };
    },
    async stop() {
      const informers = [...watched.values()].map(({ informer }) => informer.stop());
      watched.clear();
      await Promise.all(informers);
    },
  };
}

function addFollower(byKey: Map<string, Set<() => void>>, key: string, changed: () => void): () => void {
  const set = byKey.get(key) ?? new Set();
  byKey.set(key, set);
  set.add(changed);
  return () => {
    set.delete(changed);
    if (set.size === 0) byKey.delete(key);
  };
}

async function liveObject<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  namespace: string,
  name: string,
): Promise<T | undefined> {
  try {
    return await client.get(type, { namespace, name });
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}
