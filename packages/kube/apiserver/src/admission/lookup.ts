import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Catalogue } from '../resource/catalogue.ts';
import type { Store } from '@hypershift-ts/kube-store';
import { decodeStored } from '../storage/codec.ts';
import { keyRange, storageKey, storagePrefix } from '../storage/keys.ts';

/** Reads other objects for admission, in their stored version, past authorization. */
export interface Lookup {
  get(group: string, resource: string, namespace: string, name: string): Promise<UnstructuredObject | undefined>;
  list(group: string, resource: string, namespace?: string): Promise<readonly UnstructuredObject[]>;
  readonly catalogue: Catalogue;
}

export function storeLookup(store: Store, catalogue: Catalogue): Lookup {
  return {
    catalogue,
    async get(group, resource, namespace, name) {
      const { entry } = await store.get(storageKey(storagePrefix(group, resource), namespace || undefined, name));
      return entry && decodeStored(entry);
    },
    async list(group, resource, namespace) {
      const { entries } = await store.range(keyRange(storagePrefix(group, resource), namespace));
      return entries.map(decodeStored);
    },
  };
}
