import type { ObjectMeta } from '@hypershift-ts/kube-apimachinery';
import type { UnstructuredInfra } from '../platform.ts';

/** Tells Cluster API providers that somebody else looks after the object, so they do not make networks for it. */
export const externallyManaged = { 'cluster.x-k8s.io/managed-by': 'external' } as const;

/** An infrastructure cluster that others manage and that is ready from the start. */
export function readyInfraCluster(
  apiVersion: string,
  kind: string,
  metadata: ObjectMeta,
  spec: object,
): UnstructuredInfra {
  return {
    apiVersion,
    kind,
    metadata: { ...metadata, annotations: { ...externallyManaged, ...metadata.annotations } },
    spec,
    status: { ready: true },
  };
}
