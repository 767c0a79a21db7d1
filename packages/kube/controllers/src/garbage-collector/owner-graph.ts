import type { KubeObject, OwnerReference, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { foregroundFinalizer, orphanFinalizer } from '@hypershift-ts/kube-apimachinery';

/** Where an object is found again. */
export interface Place {
  readonly type: ResourceType<KubeObject>;
  /** `namespace/name` or `name`. */
  readonly key: string;
}

/** One text for a place, unique over all types. */
export function placeId({ type, key }: Place): string {
  return `${type.group}/${type.version}/${type.resource}|${key}`;
}

/** Who depends on whom, by uid. Only objects with owners are in it, so a cluster of independent objects costs nothing. */
export class OwnerGraph {
  private readonly dependents = new Map<string, Map<string, Place>>();

  /** Brings the graph up to date with one object's owners. */
  update(
    place: Place,
    before: readonly OwnerReference[] | undefined,
    next: readonly OwnerReference[] | undefined,
  ): void {
    if (before === next) return;
    const id = placeId(place);
    for (const { uid } of before ?? []) {
      if (next?.some((owner) => owner.uid === uid)) continue;
      const places = this.dependents.get(uid);
      places?.delete(id);
      if (places?.size === 0) this.dependents.delete(uid);
    }
    for (const { uid } of next ?? []) {
      let places = this.dependents.get(uid);
      if (!places) {
        places = new Map();
        this.dependents.set(uid, places);
      }
      places.set(id, place);
    }
  }

  dependentsOf(uid: string | undefined): readonly Place[] {
    return uid === undefined ? [] : [...(this.dependents.get(uid)?.values() ?? [])];
  }

  get size(): number {
    return this.dependents.size;
  }
}

/** Deleted in the foreground: stays until its blocking dependents are gone. */
export function isDeletingDependents({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(foregroundFinalizer) ?? false);
}

/** Deleted with its dependents to be kept. */
export function isOrphaningDependents({ metadata }: KubeObject): boolean {
  return metadata.deletionTimestamp !== undefined && (metadata.finalizers?.includes(orphanFinalizer) ?? false);
}
