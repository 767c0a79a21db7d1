import { isNotFound, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client, InformerCache } from '@hypershift-ts/kube-client';

/** Where an object of either API lives. */
export interface PlacedKey {
  readonly name: string;
  readonly namespace: string;
}

/** How a pass reads. Copies are only ever written with the version that was read, so an old read is a lost race. */
export interface Reader {
  get<T extends KubeObject>(type: ResourceType<T>, key: PlacedKey): Promise<T | undefined>;
}

/** Reads what watches brought. */
export function cachedReader(cache: InformerCache): Reader {
  return {
    get: (type, key) => Promise.resolve(cache.get(type, key, { namespace: key.namespace })),
  };
}

/** Asks the server, for decisions that nothing may have overtaken. */
export function liveReader(client: Client, signal: AbortSignal): Reader {
  return {
    async get(type, key) {
      try {
        return await client.get(type, key, { signal });
      } catch (error) {
        if (isNotFound(error)) return undefined;
        throw error;
      }
    },
  };
}
