import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { InfrastructureFacts } from '../conversion/cluster-facts.ts';
import { clusterApiNamespace, infrastructureGroup } from '../conversion/names.ts';
import type { PlatformConversion } from '../conversion/platform-conversion.ts';
import { mergedConditions } from '../sync/merged-conditions.ts';
import type { Endpoint } from './endpoint.ts';

/** The Cluster of Cluster API for the cluster that all this runs on. */
export function desiredCoreCluster(
  { infrastructureName: name }: InfrastructureFacts,
  { kinds }: PlatformConversion,
  endpoint: Endpoint,
): Omit<capiv1beta2.Cluster, 'apiVersion' | 'kind'> {
  return {
    metadata: { name, namespace: clusterApiNamespace },
    spec: {
      controlPlaneEndpoint: endpoint,
      infrastructureRef: { apiGroup: infrastructureGroup, kind: kinds.cluster.kind, name },
    },
  };
}

/** Its control plane runs, whoever made it. */
export function coreClusterStatus({ status = {} }: capiv1beta2.Cluster, now: string): capiv1beta2.ClusterStatus {
  const initialized = {
    type: 'ControlPlaneInitialized',
    status: 'True' as const,
    reason: 'ControlPlaneInitialized',
    message: '',
    lastTransitionTime: now,
  };
  const { reason: _, message: __, ...old } = initialized;
  const { v1beta1 } = status.deprecated ?? {};
  return {
    ...status,
    conditions: mergedConditions(status.conditions, [initialized]),
    deprecated: { v1beta1: { ...v1beta1, conditions: mergedConditions(v1beta1?.conditions, [old]) } },
  };
}
