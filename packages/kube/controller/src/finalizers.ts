import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';

export function hasFinalizer(object: KubeObject, finalizer: string): boolean {
  return object.metadata.finalizers?.includes(finalizer) ?? false;
}

/** Adds the finalizer when it is missing and the object is not going away; answers the object as it is then. */
export async function ensureFinalizer<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
): Promise<T> {
  if (hasFinalizer(object, finalizer) || object.metadata.deletionTimestamp) return object;
  return patchFinalizers(client, type, object, [...(object.metadata.finalizers ?? []), finalizer]);
}

/** Takes the finalizer off; an object that is gone meanwhile is fine. */
export async function removeFinalizer<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizer: string,
): Promise<T | undefined> {
  if (!hasFinalizer(object, finalizer)) return object;
  const others = (object.metadata.finalizers ?? []).filter((other) => other !== finalizer);
  try {
    return await patchFinalizers(client, type, object, others);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The resourceVersion makes it a conflict, not a loss, when somebody else edits the list at the same time. */
function patchFinalizers<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  object: T,
  finalizers: readonly string[],
): Promise<T> {
  const { name = '', namespace, resourceVersion } = object.metadata;
  return client.patch(
    type,
    { name, ...(namespace ? { namespace } : {}) },
    { type: 'merge', body: { metadata: { finalizers, resourceVersion } } },
  );
}
