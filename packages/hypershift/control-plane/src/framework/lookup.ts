import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import type { Lookup } from './context.ts';

/** Reads from the shared informers, which must exist for every type; kinds that are not served are simply empty. */
export function cachedLookup(
  cache: InformerCache,
  namespace: string,
  serves: (type: ResourceType<KubeObject>) => boolean = () => true,
): Lookup {
  return {
    get: (type, name) => (serves(type) ? cache.get(type, { namespace, name }) : undefined),
    list: (type) => (serves(type) ? cache.list(type, namespace) : []),
  };
}

/** A lookup over given objects, for tests and for rendering without a cluster. */
export function fixedLookup(objects: readonly KubeObject[]): Lookup {
  return {
    get: <T extends KubeObject>({ kind }: ResourceType<T>, name: string) =>
      objects.find((object) => object.kind === kind && object.metadata.name === name) as T | undefined,
    list: <T extends KubeObject>({ kind }: ResourceType<T>) => objects.filter((object) => object.kind === kind) as T[],
  };
}

/** A lookup that already sees what was just written, before the informers do. */
export function withWritten(lookup: Lookup, written: readonly KubeObject[]): Lookup {
  if (written.length === 0) return lookup;
  const overlay = fixedLookup(written);
  return {
    get: (type, name) => overlay.get(type, name) ?? lookup.get(type, name),
    list: (type) => {
      const fresh = overlay.list(type);
      const names = new Set(fresh.map(({ metadata }) => metadata.name));
      return [...lookup.list(type).filter(({ metadata }) => !names.has(metadata.name)), ...fresh];
    },
  };
}
