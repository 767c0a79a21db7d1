import { annotations, type HostedCluster, type NodePool } from '@hypershift-ts/hypershift-api';
import { derivedName } from '@hypershift-ts/hypershift-ignition';

export const clusterNameLabel = 'cluster.x-k8s.io/cluster-name';
export const pausedAnnotation = 'cluster.x-k8s.io/paused';
export const interruptibleLabel = 'hypershift.openshift.io/interruptible-instance';
/** Machine labels with this prefix become labels of the node. */
export const managedLabelPrefix = 'managed.hypershift.openshift.io.';
export const globalPullSecretLabel = `${managedLabelPrefix}hypershift.openshift.io/nodepool-globalps-enabled`;

/** Key and value of the label by which the machines of a pool are selected. */
export function resourcesName({ metadata, spec }: HostedCluster, pool: NodePool): string {
  return derivedName(`${spec.infraID}-${metadata.name}`, pool.metadata.name ?? '', 43);
}

export const belongsToPool = ({ metadata }: NodePool): { readonly [key: string]: string } => ({
  [annotations.nodePool.key]: `${metadata.namespace}/${metadata.name}`,
});
