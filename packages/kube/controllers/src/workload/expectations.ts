import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { Informer } from '@hypershift-ts/kube-client';

interface Expected {
  /** The cache must have come this far to know everything we created. */
  revision: bigint;
  /** Objects whose deletion we asked for, by key, with their uid. */
  readonly deletions: Map<string, string>;
}

/**
 * What a controller did and its cache may not show yet. Acting on a cache that lags behind one's own writes would create
 * the same pod twice; a key waits until the cache has caught up with what was done for it.
 */
export class Expectations {
  private readonly expected = new Map<string, Expected>();

  created(key: string, object: KubeObject): void {
    const revision = revisionOf(object.metadata.resourceVersion);
    if (revision === undefined) return;
    const entry = this.entry(key);
    if (revision > entry.revision) entry.revision = revision;
  }

  deleted(key: string, object: KubeObject): void {
    this.entry(key).deletions.set(cacheKey(object), object.metadata.uid ?? '');
  }

  /** True when the cache shows everything that was done for this key. */
  satisfied<T extends KubeObject>(key: string, informer: Informer<T>): boolean {
    const entry = this.expected.get(key);
    if (!entry) return true;
    // While the informer lists anew it cannot say how far it has come.
    const reached = revisionOf(informer.activity.resourceVersion);
    if (reached === undefined || entry.revision > reached) return false;
    for (const [object, uid] of entry.deletions) {
      const known = informer.get(object);
      if (known && known.metadata.uid === uid && !known.metadata.deletionTimestamp) return false;
    }
    this.expected.delete(key);
    return true;
  }

  forget(key: string): void {
    this.expected.delete(key);
  }

  private entry(key: string): Expected {
    let entry = this.expected.get(key);
    if (!entry) {
      entry = { revision: 0n, deletions: new Map() };
      this.expected.set(key, entry);
    }
    return entry;
  }
}

function cacheKey({ metadata }: KubeObject): string {
  return metadata.namespace ? `${metadata.namespace}/${metadata.name}` : (metadata.name ?? '');
}

/** Resource versions are comparable decimal numbers in every API server this can meet; anything else is not waited for. */
function revisionOf(resourceVersion: string | undefined): bigint | undefined {
  return resourceVersion && /^\d+$/.test(resourceVersion) ? BigInt(resourceVersion) : undefined;
}
