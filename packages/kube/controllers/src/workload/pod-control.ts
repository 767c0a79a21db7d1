import type { corev1, KubeObject } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, errorMessage, isNotFound, StatusError } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import type { Expectations } from './expectations.ts';

type Pod = corev1.Pod;

export interface PodWrites {
  readonly key: string;
  readonly owner: KubeObject;
  readonly expectations: Expectations;
  readonly context: Pick<ReconcileContext, 'client' | 'events'>;
}

/** Creates a pod for its owner, remembers to wait for it, and tells about it. */
export async function createPod(writes: PodWrites, pod: NewObject<Pod>): Promise<Pod> {
  const { client, events } = writes.context;
  try {
    const created = await client.create(core.pods, pod);
    writes.expectations.created(writes.key, created);
    events.normal(writes.owner, 'SuccessfulCreate', `Created pod: ${created.metadata.name}`);
    return created;
  } catch (error) {
    if (!isNamespaceTerminating(error)) {
      events.warning(writes.owner, 'FailedCreate', `Error creating: ${errorMessage(error)}`);
    }
    throw error;
  }
}

/** Deletes a pod of its owner; one that is gone already is fine. */
export async function deletePod(writes: PodWrites, pod: Pod): Promise<void> {
  const { client, events } = writes.context;
  const { namespace = '', name = '', uid } = pod.metadata;
  try {
    await client.delete(core.pods, { namespace, name }, uid ? { preconditions: { uid } } : {});
  } catch (error) {
    if (!isNotFound(error)) {
      events.warning(writes.owner, 'FailedDelete', `Error deleting: ${errorMessage(error)}`);
      throw error;
    }
  }
  writes.expectations.deleted(writes.key, pod);
  events.normal(writes.owner, 'SuccessfulDelete', `Deleted pod: ${name}`);
}

/** The namespace is going away, so nothing can be created in it any more and nobody needs to hear of it. */
export function isNamespaceTerminating(error: unknown): boolean {
  return (
    error instanceof StatusError &&
    (error.details?.causes?.some((cause) => cause.reason === 'NamespaceTerminating') ?? false)
  );
}
