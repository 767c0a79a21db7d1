import {
  type ControlPlaneComponent,
  controlPlaneComponents,
  type HostedCluster,
  type HostedControlPlane,
  hostedControlPlanes,
  type NodePool,
  nodePools,
} from '@hypershift-ts/hypershift-api';
import { controlPlaneNamespaceOf } from '@hypershift-ts/hypershift-operator';
import { corev1, isNotFound, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Client } from '@hypershift-ts/kube-client';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { getHostedCluster } from '../cluster-access/index.ts';

/** What is known about one hosted cluster, as of now. */
export interface ClusterFacts {
  readonly cluster: HostedCluster;
  readonly controlPlaneNamespace: string;
  readonly hostedControlPlane: HostedControlPlane | undefined;
  readonly components: readonly ControlPlaneComponent[];
  readonly pods: readonly corev1.Pod[];
  readonly nodePools: readonly NodePool[];
  readonly machines: readonly capiv1beta1.Machine[];
}

/** Objects of a kind, none where the server does not know the kind. */
export async function listKnown<T extends KubeObject>(
  client: Client,
  type: ResourceType<T>,
  namespace: string,
): Promise<readonly T[]> {
  try {
    return (await client.list(type, { namespace })).items;
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}

export async function clusterFacts(
  client: Client,
  key: { readonly namespace: string; readonly name: string },
): Promise<ClusterFacts> {
  const cluster = await getHostedCluster(client, key);
  const namespace = controlPlaneNamespaceOf(cluster);
  const [controlPlanes, components, pods, pools, machines] = await Promise.all([
    listKnown(client, hostedControlPlanes, namespace),
    listKnown(client, controlPlaneComponents, namespace),
    listKnown(client, corev1.pods, namespace),
    listKnown(client, nodePools, key.namespace),
    listKnown(client, capiv1beta1.machines, namespace),
  ]);
  return {
    cluster,
    controlPlaneNamespace: namespace,
    hostedControlPlane: controlPlanes[0],
    components,
    pods,
    nodePools: pools.filter(({ spec }) => spec.clusterName === key.name),
    machines,
  };
}
