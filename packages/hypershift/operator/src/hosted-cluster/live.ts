import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { isNotFound, parseApiVersion } from '@hypershift-ts/kube-apimachinery';
import type { Client, NewObject } from '@hypershift-ts/kube-client';
import { createOrUpdate } from '@hypershift-ts/kube-controller';

const clusterScoped = new Set(['Namespace', 'ClusterRole', 'ClusterRoleBinding']);

/** How the kinds written here are reached; their plurals follow English. */
export function resourceTypeOf<T extends KubeObject>({ apiVersion, kind }: T): ResourceType<T> {
  const lower = kind.toLowerCase();
  const resource = lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
  return { ...parseApiVersion(apiVersion), kind, resource, namespaced: !clusterScoped.has(kind) };
}

function reasonOf(error: unknown, { apiVersion, kind }: KubeObject): string {
  const text = error instanceof Error ? error.message : String(error);
  return isNotFound(error) ? `${text}; is the CRD of ${kind} in ${apiVersion} installed?` : text;
}

/** Makes the object what it should be, its reported readiness included, and writes nothing when it is so. */
export async function ensure<T extends KubeObject>(client: Client, desired: T, signal: AbortSignal): Promise<T> {
  const type = resourceTypeOf(desired);
  const { name = '', namespace } = desired.metadata;
  const key = { name, ...(namespace ? { namespace } : {}) };
  const { status, ...stated } = desired as T & { readonly status?: { readonly ready?: boolean } };
  const { object } = await createOrUpdate(client, type, key, stated as unknown as NewObject<T>, { signal }).catch(
    (error: unknown) => {
      throw new Error(`${desired.kind} ${namespace ? `${namespace}/` : ''}${name}: ${reasonOf(error, desired)}`, {
        cause: error,
      });
    },
  );
  const live = object as T & { readonly status?: { readonly ready?: boolean } };
  if (status?.ready === undefined || live.status?.ready === status.ready) return object;
  const body = { status: { ready: status.ready } };
  return client.patch(type, key, { type: 'merge', body }, { subresource: 'status', signal });
}
