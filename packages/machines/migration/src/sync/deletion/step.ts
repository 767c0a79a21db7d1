import type { KubeObject } from '@hypershift-ts/kube-apimachinery';

/** What to do next for a pair of which one is being deleted. After each, the next event brings the next step. */
export type DeletionStep =
  | { readonly kind: 'delete'; readonly objects: readonly KubeObject[] }
  | {
      readonly kind: 'release';
      readonly objects: readonly { readonly object: KubeObject; readonly finalizers: readonly string[] }[];
    }
  /** Templates have no finalizers: they are gone once asked to. */
  | { readonly kind: 'delete-templates' }
  | { readonly kind: 'wait'; readonly for: string };

export const isDeleting = (object: KubeObject | undefined): boolean => object?.metadata.deletionTimestamp !== undefined;

export const isHeldBy = (object: KubeObject | undefined, finalizer: string): boolean =>
  object?.metadata.finalizers?.includes(finalizer) ?? false;

/** Deletes those that are there and not on their way yet. */
export function deleteMissing(...objects: readonly (KubeObject | undefined)[]): DeletionStep | undefined {
  const left = objects.filter((object) => object !== undefined && !isDeleting(object)) as readonly KubeObject[];
  return left.length > 0 ? { kind: 'delete', objects: left } : undefined;
}

/** Takes finalizers away from those that have them. */
export function release(
  matches: (finalizer: string) => boolean,
  ...objects: readonly (KubeObject | undefined)[]
): DeletionStep | undefined {
  const held = objects
    .filter((object) => object !== undefined)
    .map((object) => ({ object, finalizers: (object.metadata.finalizers ?? []).filter(matches) }))
    .filter(({ finalizers }) => finalizers.length > 0);
  return held.length > 0 ? { kind: 'release', objects: held } : undefined;
}

export const waitFor = (what: string): DeletionStep => ({ kind: 'wait', for: what });
