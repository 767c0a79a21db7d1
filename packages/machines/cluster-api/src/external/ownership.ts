import type { KubeObject, OwnerReference, ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { labels } from '../keys.ts';

const groupOf = ({ apiVersion }: OwnerReference) => parseApiVersion(apiVersion).group;

/**
 * The owners of a provider's object with `owner` among them. Other owners stay, except a controller that `replaces`
 * names: a MachineSet holds a new infrastructure machine only until its Machine is there to take it.
 */
function ownersWith(
  object: KubeObject,
  owner: OwnerReference,
  replaces?: { readonly kind: string },
): readonly OwnerReference[] {
  const kept = (object.metadata.ownerReferences ?? []).filter(
    (other) =>
      other.uid !== owner.uid && !(replaces && other.kind === replaces.kind && groupOf(other) === groupOf(owner)),
  );
  if (!owner.controller || !kept.some((other) => other.controller)) return [...kept, owner];
  // Somebody else's object: we may depend on it, but it is not ours to control.
  const { controller: _controller, blockOwnerDeletion: _block, ...reference } = owner;
  return [...kept, reference];
}

/** Makes `owner` an owner of a provider's object and labels it with its cluster; writes nothing when it is so already. */
export async function takeOwnership(
  client: Client,
  type: ResourceType,
  object: UnstructuredObject,
  owner: OwnerReference,
  clusterName: string | undefined,
  replaces?: { readonly kind: string },
): Promise<UnstructuredObject> {
  const { name = '', namespace = '', ownerReferences = [], resourceVersion } = object.metadata;
  const owned = ownerReferences.some((other) => other.uid === owner.uid);
  const labelled = clusterName === undefined || object.metadata.labels?.[labels.clusterName] === clusterName;
  if ((owned && labelled) || object.metadata.deletionTimestamp) return object;
  return client.patch(
    type,
    { namespace, name },
    {
      type: 'merge',
      body: {
        metadata: {
          resourceVersion,
          ...(clusterName === undefined ? {} : { labels: { [labels.clusterName]: clusterName } }),
          ownerReferences: ownersWith(object, owner, replaces),
        },
      },
    },
  );
}
