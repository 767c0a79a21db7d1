import { hostedClusters, hostedControlPlanes, nodePools } from '@hypershift-ts/hypershift-api';
import type { KubeObject, ObjectKey, ResourceType } from '@hypershift-ts/kube-apimachinery';
import {
  appsv1,
  corev1,
  isAlreadyExists,
  isConflict,
  isNotFound,
  networkingv1,
  parseApiVersion,
  rbacv1,
} from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { createOrUpdate, deleteIfPresent, getIfPresent, type ReconcileContext } from '@hypershift-ts/kube-controller';

const idOf = ({ group, version, resource }: ResourceType<KubeObject>): string => `${group}/${version}/${resource}`;

/** Types of which the controller always has every object in memory. */
const cachedTypes: readonly ResourceType<KubeObject>[] = [
  hostedClusters,
  hostedControlPlanes,
  nodePools,
  appsv1.deployments,
  corev1.secrets,
  corev1.configmaps,
  corev1.namespaces,
  corev1.serviceaccounts,
  corev1.services,
  networkingv1.networkpolicies,
  rbacv1.roles,
  rbacv1.rolebindings,
  rbacv1.clusterroles,
  rbacv1.clusterrolebindings,
];
const inMemory: ReadonlySet<string> = new Set(cachedTypes.map(idOf));

/** Where objects are read and written; without a cache every read is a request. */
type Reader = Pick<ReconcileContext, 'client' | 'signal'> & Partial<Pick<ReconcileContext, 'cache'>>;

/** The object as it was last seen, without a request where the type is kept in memory; undefined when there is none. */
export async function find<T extends KubeObject>(
  { client, cache, signal }: Reader,
  type: ResourceType<T>,
  key: ObjectKey,
): Promise<T | undefined> {
  return cache && inMemory.has(idOf(type)) ? cache.get(type, key) : getIfPresent(client, type, key, { signal });
}

const clusterScoped = new Set(['Namespace', 'ClusterRole', 'ClusterRoleBinding']);

/** How the kinds written here are reached; their plurals follow English. */
function resourceTypeOf<T extends KubeObject>({ apiVersion, kind }: T): ResourceType<T> {
  const lower = kind.toLowerCase();
  const resource = lower.endsWith('y') ? `${lower.slice(0, -1)}ies` : `${lower}s`;
  return { ...parseApiVersion(apiVersion), kind, resource, namespaced: !clusterScoped.has(kind) };
}

function reasonOf(error: unknown, { apiVersion, kind }: KubeObject): string {
  const text = error instanceof Error ? error.message : String(error);
  return isNotFound(error)
    ? `${text}; is the CRD of ${kind} in ${apiVersion} installed? \`hypershift install\` does so for every platform it is told`
    : text;
}

/**
 * Makes the object what `desired` states and writes nothing when it is so. What is in memory may lag behind what this
 * process just wrote; a write that was made from such a view is refused by the server and made again from a fresh one.
 */
export async function upsert<T extends KubeObject>(
  reader: Reader,
  type: ResourceType<T>,
  key: ObjectKey,
  desired: NewObject<T> | ((live: T | undefined) => NewObject<T>),
): Promise<T> {
  const { client, signal } = reader;
  const seen = (await find(reader, type, key)) ?? null;
  try {
    return (await createOrUpdate(client, type, key, desired, { live: seen, signal })).object;
  } catch (error) {
    if (!isConflict(error) && !isAlreadyExists(error)) throw error;
    return (await createOrUpdate(client, type, key, desired, { signal })).object;
  }
}

type WithReadiness = KubeObject & { readonly status?: { readonly ready?: boolean } };

/** Upserts a whole object, its reported readiness included. Failures name the object. */
export async function ensure<T extends KubeObject>(reader: Reader, desired: T): Promise<T> {
  const type = resourceTypeOf(desired);
  const { name = '', namespace } = desired.metadata;
  const key = { name, ...(namespace ? { namespace } : {}) };
  const { status, ...stated } = desired as T & WithReadiness;
  const object = await upsert(reader, type, key, stated as unknown as NewObject<T>).catch((error: unknown) => {
    throw new Error(`${desired.kind} ${namespace ? `${namespace}/` : ''}${name}: ${reasonOf(error, desired)}`, {
      cause: error,
    });
  });
  if (status?.ready === undefined || (object as WithReadiness).status?.ready === status.ready) return object;
  const body = { status: { ready: status.ready } };
  return reader.client.patch(type, key, { type: 'merge', body }, { subresource: 'status', signal: reader.signal });
}

export async function ensureAll(reader: Reader, objects: readonly KubeObject[]): Promise<void> {
  for (const object of objects) await ensure(reader, object);
}

/** Deletes the object unless it is known to be gone or going. */
export async function remove<T extends KubeObject>(
  reader: Reader,
  type: ResourceType<T>,
  key: ObjectKey,
): Promise<void> {
  const live = (await find(reader, type, key)) ?? null;
  await deleteIfPresent(reader.client, type, key, { live, signal: reader.signal });
}
