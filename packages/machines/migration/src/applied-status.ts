import type { KubeObject, ObjectMeta } from '@hypershift-ts/kube-apimachinery';

/** What one writer applies to the status of an object. */
export interface AppliedStatus {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: ObjectMeta & { readonly name: string };
  readonly status: object;
}

/**
 * Applies to the object as it was read: with its version, so that a write in between is noticed rather than ignored.
 */
export function appliedStatus({ apiVersion, kind, metadata }: KubeObject, status: object): AppliedStatus {
  const { name = '', namespace, resourceVersion } = metadata;
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
    },
    status,
  };
}
