import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual } from '@hypershift-ts/kube-apimachinery';

/** Which changes are worth a reconcile; an absent function lets everything of its sort through. */
export interface Predicate<T extends KubeObject = KubeObject> {
  created?(object: T): boolean;
  updated?(previous: T, next: T): boolean;
  deleted?(object: T): boolean;
}

function onUpdate(changed: (previous: KubeObject, next: KubeObject) => boolean): Predicate {
  return { updated: changed };
}

/** Lets updates through that changed the spec (or began a deletion), not those that only wrote status or metadata. */
export const generationChanged: Predicate = onUpdate(
  (previous, next) =>
    previous.metadata.generation !== next.metadata.generation ||
    previous.metadata.deletionTimestamp !== next.metadata.deletionTimestamp ||
    // Kinds without a generation would otherwise never be seen to change.
    (next.metadata.generation === undefined && previous.metadata.resourceVersion !== next.metadata.resourceVersion),
);

export const labelsChanged: Predicate = onUpdate(
  (previous, next) => !jsonEqual(previous.metadata.labels ?? {}, next.metadata.labels ?? {}),
);

export const annotationsChanged: Predicate = onUpdate(
  (previous, next) => !jsonEqual(previous.metadata.annotations ?? {}, next.metadata.annotations ?? {}),
);

/** Drops the repetitions of a resync. */
export const resourceVersionChanged: Predicate = onUpdate(
  (previous, next) => previous.metadata.resourceVersion !== next.metadata.resourceVersion,
);

/** Every event whose object satisfies the test; for updates either version may. */
export function matching<T extends KubeObject>(test: (object: T) => boolean): Predicate<T> {
  return { created: test, deleted: test, updated: (previous, next) => test(previous) || test(next) };
}

/** Only deletions. */
export const deletionsOnly: Predicate = { created: () => false, updated: () => false, deleted: () => true };

/** All of them agree. */
export function allOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    created: (object) => predicates.every((predicate) => predicate.created?.(object) ?? true),
    updated: (previous, next) => predicates.every((predicate) => predicate.updated?.(previous, next) ?? true),
    deleted: (object) => predicates.every((predicate) => predicate.deleted?.(object) ?? true),
  };
}

/** At least one of them agrees. */
export function anyOf<T extends KubeObject>(...predicates: readonly Predicate<T>[]): Predicate<T> {
  return {
    created: (object) => predicates.some((predicate) => predicate.created?.(object) ?? true),
    updated: (previous, next) => predicates.some((predicate) => predicate.updated?.(previous, next) ?? true),
    deleted: (object) => predicates.some((predicate) => predicate.deleted?.(object) ?? true),
  };
}
