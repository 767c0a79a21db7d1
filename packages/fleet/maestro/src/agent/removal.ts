import { isConflict, isNotFound, type OwnerReference, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { getIfPresent } from '@hypershift-ts/kube-controller';
import type { AppliedResource } from '../work/manifest-work.ts';

/** How long to wait before looking again whether what was deleted is gone. */
export const removalPollMs = 500;

/**
 * Removes what a work applied and answers what is still there. An object that somebody else's record owns too only loses
 * our reference; one with another uid is not the one that was applied.
 */
export async function removeResources(
  client: Client,
  resources: readonly AppliedResource[],
  owner: OwnerReference,
): Promise<readonly AppliedResource[]> {
  const left = await Promise.all(
    resources.map(async (resource) => ((await remove(client, resource, owner)) ? resource : undefined)),
  );
  return left.filter((resource) => resource !== undefined);
}

/** Whether the object is still there and ours. */
async function remove(client: Client, resource: AppliedResource, owner: OwnerReference): Promise<boolean> {
  const type = typeOf(resource);
  const key = { name: resource.name, ...(resource.namespace ? { namespace: resource.namespace } : {}) };
  const object = await getIfPresent(client, type, key);
  if (!object || object.metadata.uid !== resource.uid) return false;
  const owners = object.metadata.ownerReferences ?? [];
  if (!owners.some(({ uid }) => uid === owner.uid)) return false;
  const others = owners.filter(({ uid }) => uid !== owner.uid);
  try {
    if (others.some(({ kind }) => kind === owner.kind)) {
      const metadata = { resourceVersion: object.metadata.resourceVersion, ownerReferences: others };
      await client.patch(type, key, { type: 'merge', body: { metadata } });
      return false;
    }
    if (!object.metadata.deletionTimestamp)
      await client.delete(type, key, { propagationPolicy: 'Background', preconditions: { uid: resource.uid } });
  } catch (error) {
    if (isNotFound(error)) return false;
    if (!isConflict(error)) throw error;
  }
  return true;
}

/** Requests are made by path, so the kind does not matter. */
function typeOf({ group, version, resource, namespace }: AppliedResource): ResourceType {
  return { group, version, resource, kind: '', namespaced: namespace !== '' };
}
