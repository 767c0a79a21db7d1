import { type HostedCluster, type NodePool } from '@hypershift-ts/hypershift-api';
import { controlPlaneNamespaceOf } from '@hypershift-ts/hypershift-operator';
import { type appsv1, type corev1, findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { clusterCause } from '../progress/index.ts';
import { type RuntimeCounts, runtimeCounts } from './runtimes.ts';

/** Everything the report is made from. */
export interface StatusFacts {
  readonly server: string;
  readonly source: string;
  readonly kubernetesVersion: string;
  readonly isEmbedded: boolean;
  readonly nodes: readonly corev1.Node[];
  /** The operator's Deployment; undefined when it is not installed. */
  readonly operator: appsv1.Deployment | undefined;
  /** Undefined when the cluster does not know the kind. */
  readonly clusters: readonly HostedCluster[] | undefined;
  readonly nodePools: readonly NodePool[];
  readonly pods: readonly corev1.Pod[];
}

export interface ClusterStatus {
  readonly namespace: string;
  readonly name: string;
  readonly platform: string;
  readonly version: string;
  readonly available: string;
  readonly progressing: string;
  readonly nodes: { readonly ready: number; readonly wanted: number };
  readonly pods: RuntimeCounts;
  readonly createdAt: string | undefined;
  /** Why it is not available. */
  readonly message?: string;
}

export interface StatusReport {
  readonly managementCluster: {
    readonly server: string;
    readonly source: string;
    readonly version: string;
    readonly embedded: boolean;
    readonly nodes: { readonly ready: number; readonly total: number };
    readonly operator: 'running' | 'not ready' | 'not installed';
    readonly pods: RuntimeCounts;
  };
  readonly hostedClusters: readonly ClusterStatus[];
}

function clusterStatus(cluster: HostedCluster, { nodePools, pods }: StatusFacts): ClusterStatus {
  const { namespace = '', name = '', creationTimestamp } = cluster.metadata;
  const conditions = cluster.status?.conditions;
  const pools = nodePools.filter((pool) => pool.metadata.namespace === namespace && pool.spec.clusterName === name);
  const controlPlane = controlPlaneNamespaceOf(cluster);
  const cause = clusterCause(cluster);
  return {
    namespace,
    name,
    platform: cluster.spec.platform.type,
    version: cluster.status?.version?.history?.find(({ state }) => state === 'Completed')?.version ?? '',
    available: findCondition(conditions, 'Available')?.status ?? 'Unknown',
    progressing: findCondition(conditions, 'Progressing')?.status ?? 'Unknown',
    nodes: {
      ready: pools.reduce((sum, { status }) => sum + (status?.replicas ?? 0), 0),
      wanted: pools.reduce((sum, { spec, status }) => sum + (spec.replicas ?? status?.replicas ?? 0), 0),
    },
    pods: runtimeCounts(pods.filter(({ metadata }) => metadata.namespace === controlPlane)),
    createdAt: creationTimestamp,
    ...(cause ? { message: cause.message } : {}),
  };
}

function operatorState({ operator }: StatusFacts): StatusReport['managementCluster']['operator'] {
  if (!operator) return 'not installed';
  return (operator.status?.availableReplicas ?? 0) > 0 ? 'running' : 'not ready';
}

/** The state of a management cluster and of all hosted clusters in it. */
export function statusReport(facts: StatusFacts): StatusReport {
  return {
    managementCluster: {
      server: facts.server,
      source: facts.source,
      version: facts.kubernetesVersion,
      embedded: facts.isEmbedded,
      nodes: {
        ready: facts.nodes.filter(({ status }) => isConditionTrue(status?.conditions, 'Ready')).length,
        total: facts.nodes.length,
      },
      operator: operatorState(facts),
      pods: runtimeCounts(facts.pods),
    },
    hostedClusters: (facts.clusters ?? []).map((cluster) => clusterStatus(cluster, facts)),
  };
}
