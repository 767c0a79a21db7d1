import { type HostedCluster, healthyHostedClusterConditions } from '@hypershift-ts/hypershift-api';
import { findCondition } from '@hypershift-ts/kube-apimachinery';

export interface Unhealthy {
  readonly type: string;
  readonly expected: string;
  /** Undefined when the condition is not there. */
  readonly found: string | undefined;
  readonly message: string;
}

/** What keeps a cluster from being healthy: every condition that is not what it is when all is well. */
export function unhealthyConditions(cluster: HostedCluster): readonly Unhealthy[] {
  const all = [...healthyHostedClusterConditions(cluster)];
  return all.flatMap(([type, expected]) => {
    const condition = findCondition(cluster.status?.conditions, type);
    if (condition?.status === expected) return [];
    return [{ type, expected, found: condition?.status, message: condition?.message ?? 'condition is missing' }];
  });
}
