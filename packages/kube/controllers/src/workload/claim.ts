import type { KubeObject, ResourceType, Selector } from '@hypershift-ts/kube-apimachinery';
import { isInvalid, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client, Informer } from '@hypershift-ts/kube-client';
import { controllerOf, controllerReference } from '@hypershift-ts/kube-controller';

const orphanIndex = 'orphans-by-namespace';

/** Objects of a namespace that no controller owns. */
function orphansIn<T extends KubeObject>(informer: Informer<T>, namespace: string): T[] {
  informer.addIndex(orphanIndex, (object) => (controllerOf(object) ? [] : [object.metadata.namespace ?? '']));
  return informer.byIndex(orphanIndex, namespace);
}

/**
 * The objects that belong to `owner`: adopts orphans its selector matches and releases owned ones it no longer matches.
 * An owner on its way out neither adopts nor releases.
 */
export async function claim<O extends KubeObject, T extends KubeObject>(
  client: Client,
  owner: { readonly type: ResourceType<O>; readonly object: O },
  owned: { readonly type: ResourceType<T>; readonly informer: Informer<T> },
  selector: Selector,
): Promise<T[]> {
  const { uid = '', namespace = '', name = '', deletionTimestamp } = owner.object.metadata;
  const mine: T[] = [];
  for (const object of owned.informer.ownedBy(uid)) {
    if (controllerOf(object)?.uid !== uid) continue;
    if (selector.matches(object.metadata.labels) || deletionTimestamp) mine.push(object);
    else await release(client, owned.type, object, uid);
  }
  if (deletionTimestamp) return mine;
  let checked = false;
  for (const object of orphansIn(owned.informer, namespace)) {
    if (object.metadata.deletionTimestamp || !selector.matches(object.metadata.labels)) continue;
    if (!checked) {
      // The cache may not know yet that the owner is going or was replaced by one of the same name.
      const live = await client.get(owner.type, { namespace, name });
      if (live.metadata.uid !== uid || live.metadata.deletionTimestamp) return mine;
      checked = true;
    }
    const adopted = await adopt(client, owner, owned.type, object);
    if (adopted) mine.push(adopted);
  }
  return mine;
}

async function adopt<O extends KubeObject, T extends KubeObject>(
  client: Client,
  owner: { readonly type: ResourceType<O>; readonly object: O },
  type: ResourceType<T>,
  object: T,
): Promise<T | undefined> {
  const { name = '', namespace = '', uid, ownerReferences = [] } = object.metadata;
  const owners = [...ownerReferences, controllerReference(owner.type, owner.object)];
  try {
    return await client.patch(
      type,
      { namespace, name },
      { type: 'merge', body: { metadata: { uid, ownerReferences: owners } } },
    );
  } catch (error) {
    // Gone, or somebody else's meanwhile.
    if (isNotFound(error) || isInvalid(error)) return undefined;
    throw error;
  }
}

async function release<T extends KubeObject>(client: Client, type: ResourceType<T>, object: T, ownerUid: string) {
  const { name = '', namespace = '', uid, resourceVersion, ownerReferences = [] } = object.metadata;
  const owners = ownerReferences.filter((reference) => reference.uid !== ownerUid);
  const body = { metadata: { uid, resourceVersion, ownerReferences: owners } };
  try {
    await client.patch(type, { namespace, name }, { type: 'merge', body });
  } catch (error) {
    if (!isNotFound(error) && !isInvalid(error)) throw error;
  }
}
