import { healthyHostedClusterConditions } from '@hypershift-ts/hypershift-api';
import { findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import { componentNode } from './component-nodes.ts';
import { conditionDetail, conditionNodes } from './condition-nodes.ts';
import type { ClusterFacts } from './facts.ts';
import { nodePoolNode } from './node-pool-nodes.ts';
import { podNode } from './pod-nodes.ts';
import { type TreeNode, worstFirst, worstOf } from './tree.ts';

/** Conditions that only nodes can turn; without any they say nothing about the control plane. */
const needNodes = new Set([
  'ClusterVersionAvailable',
  'ClusterVersionProgressing',
  'ClusterVersionSucceeding',
  'DataPlaneConnectionAvailable',
  'ControlPlaneConnectionAvailable',
]);

function conditionsNode({ cluster, nodePools }: ClusterFacts): TreeNode | undefined {
  const hasNodes = nodePools.some(({ spec, status }) => (spec.replicas ?? status?.replicas ?? 0) > 0);
  const healthy = new Map(
    [...healthyHostedClusterConditions(cluster)].filter(([type]) => hasNodes || !needNodes.has(type)),
  );
  const wrong = conditionNodes(cluster.status?.conditions ?? [], healthy);
  if (wrong.length === 0) return undefined;
  return {
    name: 'Conditions',
    state: worstOf(wrong),
    detail: 'not as on a healthy cluster',
    children: worstFirst(wrong),
  };
}

function controlPlaneNode(facts: ClusterFacts): TreeNode {
  const { components, pods, controlPlaneNamespace, hostedControlPlane } = facts;
  const nodes = worstFirst(components.map((component) => componentNode(component, pods)));
  const shown = new Set(nodes.flatMap(({ children }) => (children ?? []).map(({ name }) => name)));
  const others = pods.map(podNode).filter(({ name, state }) => state !== 'good' && !shown.has(name));
  const done = nodes.filter(({ state }) => state === 'good').length;
  const detail = hostedControlPlane
    ? `namespace ${controlPlaneNamespace}, ${done} of ${nodes.length} components rolled out, ${pods.length} pods`
    : `namespace ${controlPlaneNamespace}, not created yet`;
  return {
    name: 'Control plane',
    state: hostedControlPlane ? worstOf([...nodes, ...others]) : 'waiting',
    detail,
    children: [...nodes, ...worstFirst(others)],
  };
}

function nodePoolsNode({ nodePools, machines }: ClusterFacts): TreeNode {
  const children = worstFirst(nodePools.map((pool) => nodePoolNode(pool, machines)));
  return {
    name: 'Node pools',
    state: children.length === 0 ? 'plain' : worstOf(children),
    ...(children.length === 0 ? { detail: 'none' } : { children }),
  };
}

/** A hosted cluster as a tree; whatever is wrong stands above what is right. */
export function clusterTree(facts: ClusterFacts): TreeNode {
  const { cluster } = facts;
  const { namespace, name, deletionTimestamp } = cluster.metadata;
  const available = findCondition(cluster.status?.conditions, 'Available');
  const isAvailable = isConditionTrue(cluster.status?.conditions, 'Available');
  const parts = [conditionsNode(facts), controlPlaneNode(facts), nodePoolsNode(facts)];
  return {
    kind: 'HostedCluster',
    name: `${namespace}/${name}`,
    state: isAvailable && !deletionTimestamp ? 'good' : available?.status === 'False' ? 'bad' : 'waiting',
    detail: deletionTimestamp ? 'being deleted' : available ? conditionDetail(available) : 'no status yet',
    children: worstFirst(parts.filter((part) => part !== undefined)),
  };
}
