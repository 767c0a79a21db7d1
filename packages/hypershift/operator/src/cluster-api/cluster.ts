import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { KubeObject, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';

interface ObjectReference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
}

/** A Cluster of Cluster API, as far as it is written here. */
export interface ClusterApiCluster extends KubeObject {
  readonly spec: {
    readonly paused?: boolean;
    readonly controlPlaneRef?: ObjectReference;
    readonly infrastructureRef?: ObjectReference;
  };
}

export const clusterApiClusters: ResourceType<ClusterApiCluster> = {
  group: 'cluster.x-k8s.io',
  version: 'v1beta1',
  kind: 'Cluster',
  resource: 'clusters',
  namespaced: true,
};

/**
 * The Cluster that ties control plane and infrastructure together. Once it exists it belongs to Cluster API, and only
 * the pause is set.
 */
export function desiredCluster(
  cluster: HostedCluster,
  infrastructure: KubeObject,
  live: ClusterApiCluster | undefined,
  paused = false,
): ClusterApiCluster {
  if (live) return (live.spec.paused ?? false) === paused ? live : { ...live, spec: { ...live.spec, paused } };
  const namespace = controlPlaneNamespaceOf(cluster);
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Cluster',
    metadata: { name: cluster.spec.infraID ?? '', namespace, annotations: belongsTo(cluster) },
    spec: {
      ...(paused ? { paused } : {}),
      controlPlaneRef: {
        apiVersion: 'hypershift.openshift.io/v1beta1',
        kind: 'HostedControlPlane',
        namespace,
        name: cluster.metadata.name ?? '',
      },
      infrastructureRef: {
        apiVersion: infrastructure.apiVersion,
        kind: infrastructure.kind,
        namespace: infrastructure.metadata.namespace ?? namespace,
        name: infrastructure.metadata.name ?? '',
      },
    },
  };
}
