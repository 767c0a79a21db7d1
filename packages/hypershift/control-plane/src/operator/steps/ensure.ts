import type { KubeObject, ResourceType, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { apiVersionOf } from '@hypershift-ts/kube-apimachinery';
import { deleteIfPresent } from '@hypershift-ts/kube-controller';
import { applyDesired } from '../../framework/apply.ts';
import { ownerOf } from '../../framework/reconcile.ts';
import type { Pass } from '../pass.ts';

/** An object of the control plane's namespace without what every object gets. */
export interface OwnedObject {
  readonly name: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly body: object;
}

/** Makes an object of the control plane what it should be; writes nothing when it is. */
export async function ensureOwned(
  pass: Pass,
  type: ResourceType<KubeObject>,
  { name, labels, body }: OwnedObject,
): Promise<void> {
  const { namespace, lookup, client } = pass;
  const desired = {
    apiVersion: apiVersionOf(type),
    kind: type.kind,
    metadata: { name, namespace, ...(labels ? { labels } : {}), ownerReferences: [ownerOf(pass)] },
    ...body,
  } as UnstructuredObject;
  await applyDesired(client, type, desired, lookup.get(type, name) as UnstructuredObject | undefined);
}

/** Removes an object of the control plane, if it is there. */
export async function ensureGone(pass: Pass, type: ResourceType<KubeObject>, name: string): Promise<void> {
  const live = pass.lookup.get(type, name);
  if (live) await deleteIfPresent(pass.client, type, { name, namespace: pass.namespace }, { live });
}
