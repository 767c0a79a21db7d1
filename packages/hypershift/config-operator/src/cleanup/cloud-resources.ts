import { openshift } from '@hypershift-ts/hypershift-api';
import { corev1, isNotFound, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client, DeleteOptions } from '@hypershift-ts/kube-client';
import { deleteIfPresent, getIfPresent } from '@hypershift-ts/kube-controller';

/** Something of the hosted cluster that costs money in the cloud. `remove` begins its end and says whether it is gone. */
export interface CloudResource {
  /** As it stands in the list of what remains. */
  readonly name: string;
  remove(client: Client, signal: AbortSignal): Promise<boolean>;
}

const volumeSnapshots: ResourceType<KubeObject> = {
  group: 'snapshot.storage.k8s.io',
  version: 'v1',
  kind: 'VolumeSnapshot',
  resource: 'volumesnapshots',
  namespaced: true,
};

/** Deletes every object that matches; true when there is none left. A kind that is not served has none. */
async function removeAll<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  signal: AbortSignal,
  matches: (object: T) => boolean = () => true,
  options: DeleteOptions & { readonly namespace?: string } = {},
): Promise<boolean> {
  const { namespace, ...rest } = options;
  const found = await listIfServed(client, type, signal, namespace);
  const matching = found.filter(matches);
  for (const live of matching) {
    const { name = '', namespace: where } = live.metadata;
    await deleteIfPresent(client, type, { name, ...(where ? { namespace: where } : {}) }, { ...rest, live, signal });
  }
  return matching.length === 0;
}

async function listIfServed<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  signal: AbortSignal,
  namespace?: string,
): Promise<readonly T[]> {
  try {
    return (await client.list(type, { ...(namespace ? { namespace } : {}), signal })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

/** Storage that lives and dies with a pod or a volume of the cluster is no resource of its own. */
const local = new Set(['emptyDir', 'pvc', 'managementState']);

const registryStorage: CloudResource = {
  name: 'image registry',
  async remove(client, signal) {
    const registry = await getIfPresent(client, openshift.imageRegistrys, { name: 'cluster' }, { signal });
    if (!registry) return true;
    const used = { ...registry.spec.storage, ...registry.status?.storage };
    if (Object.keys(used).every((kind) => local.has(kind))) return true;
    if (registry.spec.managementState !== 'Removed') {
      const body = { spec: { managementState: 'Removed' } };
      await client.patch(openshift.imageRegistrys, { name: 'cluster' }, { type: 'merge', body }, { signal });
    }
    return Object.keys(registry.status?.storage ?? {}).every((kind) => local.has(kind));
  },
};

const ingressControllers: CloudResource = {
  name: 'ingress controllers',
  async remove(client, signal) {
    const gone = await removeAll(client, openshift.ingressControllers, signal);
    if (gone) return true;
    // Routers take their time to end, and nobody needs them any more.
    await removeAll(client, corev1.pods, signal, undefined, { namespace: 'openshift-ingress', gracePeriodSeconds: 0 });
    return false;
  },
};

const loadBalancers: CloudResource = {
  name: 'load balancers',
  remove: (client, signal) => removeAll(client, corev1.services, signal, ({ spec }) => spec?.type === 'LoadBalancer'),
};

const persistentVolumes: CloudResource = {
  name: 'persistent volumes',
  async remove(client, signal) {
    const volumes = await listIfServed(client, corev1.persistentvolumes, signal);
    if (volumes.length === 0) return true;
    await removeAll(client, corev1.persistentvolumeclaims, signal);
    // A claim stays while a pod uses it.
    const usesClaim = ({ spec }: corev1.Pod) => (spec?.volumes ?? []).some((volume) => volume.persistentVolumeClaim);
    await removeAll(client, corev1.pods, signal, usesClaim);
    return false;
  },
};

const snapshots: CloudResource = {
  name: 'volume snapshots',
  remove: (client, signal) => removeAll(client, volumeSnapshots, signal),
};

/** In the order of removal. */
export const cloudResources: readonly CloudResource[] = [
  registryStorage,
  ingressControllers,
  loadBalancers,
  persistentVolumes,
  snapshots,
];
