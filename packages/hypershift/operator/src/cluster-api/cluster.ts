import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { belongsTo, controlPlaneNamespaceOf } from '../names/index.ts';

/** A Cluster of Cluster API. */
export type ClusterApiCluster = capiv1beta1.Cluster;
export const clusterApiClusters = capiv1beta1.clusters;

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
