import type { InformerCache } from '@hypershift-ts/kube-client';

/**
 * State that a controller keeps between reconciles, one for each cluster: controllers are values that serve many
 * clusters at once, and a cluster's cache lives exactly as long as the cluster is worked on.
 */
export function perCluster<T>(create: () => T): (cache: InformerCache) => T {
  const known = new WeakMap<InformerCache, T>();
  return (cache) => {
    let value = known.get(cache);
    if (value === undefined) {
      value = create();
      known.set(cache, value);
    }
    return value;
  };
}
