import type { KubeObject, ObjectKey, OwnerReference, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { ownerReference } from '@hypershift-ts/kube-controller';
import { type Cluster, clusters } from './generated/capiv1beta1.ts';
import { labels } from './keys.ts';

interface Membership {
  readonly finalizer?: string;
  /** Without it the object belongs to somebody else already. */
  readonly owner?: OwnerReference;
}

export const clusterOwner = (cluster: Cluster): OwnerReference => ownerReference(clusters, cluster);

/** Finalizer, owner and cluster label of one of our kinds, in one write or none. */
export async function ensureMembership<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  clusterName: string,
  { finalizer, owner }: Membership,
): Promise<T> {
  const { finalizers = [], ownerReferences = [], resourceVersion } = object.metadata;
  const finalize = finalizer !== undefined && !finalizers.includes(finalizer);
  const own = owner !== undefined && !ownerReferences.some(({ uid }) => uid === owner.uid);
  const label = object.metadata.labels?.[labels.clusterName] !== clusterName;
  if (!finalize && !own && !label) return object;
  const metadata = {
    resourceVersion,
    ...(finalize ? { finalizers: [...finalizers, finalizer] } : {}),
    ...(own ? { ownerReferences: [...ownerReferences, owner] } : {}),
    ...(label ? { labels: { [labels.clusterName]: clusterName } } : {}),
  };
  return client.patch(type, keyOfObject(object), { type: 'merge', body: { metadata } });
}

export function keyOfObject({ metadata: { name = '', namespace } }: KubeObject): ObjectKey {
  return namespace ? { name, namespace } : { name };
}

/** Replaces the status when it differs; losing a race against another writer is a conflict, which is retried. */
export async function writeStatus<T extends KubeObject & { readonly status?: object }>(
  client: Client,
  type: ResourceType<T>,
  live: T,
  status: NonNullable<T['status']>,
): Promise<T> {
  if (jsonEqual(live.status ?? {}, status)) return live;
  return client.update(type, { ...live, status }, { subresource: 'status' });
}

/** Whether somebody wants something else of one of our objects; its status is our own word. */
export function wishChanged({ metadata: a }: KubeObject, { metadata: b }: KubeObject): boolean {
  return (
    a.uid !== b.uid ||
    a.generation !== b.generation ||
    a.deletionTimestamp !== b.deletionTimestamp ||
    !jsonEqual(a.labels, b.labels) ||
    !jsonEqual(a.annotations, b.annotations) ||
    !jsonEqual(a.ownerReferences, b.ownerReferences) ||
    !jsonEqual(a.finalizers, b.finalizers)
  );
}
