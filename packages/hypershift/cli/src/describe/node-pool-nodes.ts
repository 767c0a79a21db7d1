import { healthyNodePoolConditions, type NodePool } from '@hypershift-ts/hypershift-api';
import { annotations } from '@hypershift-ts/hypershift-api';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { nodePoolCause } from '../progress/index.ts';
import { conditionNodes } from './condition-nodes.ts';
import { type TreeNode, worstFirst, worstOf } from './tree.ts';

function machinesOf(pool: NodePool, machines: readonly capiv1beta1.Machine[]): readonly capiv1beta1.Machine[] {
  const key = `${pool.metadata.namespace}/${pool.metadata.name}`;
  return machines.filter(({ metadata }) => metadata.annotations?.[annotations.nodePool.key] === key);
}

const settled = new Set(['Running']);

/** A machine: its phase, and the condition that keeps it from the next one. */
function machineNode({ metadata, status, spec }: capiv1beta1.Machine): TreeNode {
  const phase = status?.phase ?? 'Pending';
  const conditions = (status?.conditions ?? []) as readonly {
    type: string;
    status: string;
    reason?: string;
    message?: string;
  }[];
  const wrong =
    conditions.find((one) => one.status === 'False' && one.type !== 'Ready') ?? findCondition(conditions, 'Ready');
  const why =
    wrong && wrong.status !== 'True' ? [wrong.type, wrong.reason, wrong.message].filter(Boolean).join(': ') : '';
  const failure = status?.failureMessage;
  const isGood = settled.has(phase) && !failure && !why;
  const node = status?.nodeRef?.name;
  return {
    kind: 'Machine',
    name: metadata.name ?? '',
    state: isGood ? 'good' : failure || phase === 'Failed' ? 'bad' : 'waiting',
    detail: isGood
      ? [node === metadata.name ? '' : node ? `node ${node}` : phase, spec?.version ?? ''].filter(Boolean).join(' ')
      : `${phase}${failure ? `: ${failure}` : why ? `: ${why}` : ''}`,
  };
}

/** `2 of 3 nodes`, or what the autoscaler may do. */
export function replicasText({ spec, status }: NodePool): string {
  const have = status?.replicas ?? 0;
  if (spec.autoScaling)
    return `${have} nodes, autoscaling from ${spec.autoScaling.min ?? 0} to ${spec.autoScaling.max}`;
  return `${have} of ${spec.replicas ?? 0} nodes`;
}

/** A pool with what is wrong about it and its machines. */
export function nodePoolNode(pool: NodePool, machines: readonly capiv1beta1.Machine[]): TreeNode {
  const conditions = conditionNodes(pool.status?.conditions ?? [], healthyNodePoolConditions(pool));
  const own = machinesOf(pool, machines).map(machineNode);
  const cause = nodePoolCause(pool);
  const state = cause ? (worstOf([...conditions, ...own]) === 'bad' ? 'bad' : 'waiting') : 'good';
  // A pool of no nodes has conditions that only nodes could turn; they are no news.
  const children = cause ? worstFirst([...conditions, ...own]) : own;
  return {
    kind: 'NodePool',
    name: pool.metadata.name ?? '',
    state,
    detail: `${replicasText(pool)}${pool.status?.version ? `, ${pool.status.version}` : ''}`,
    ...(children.length > 0 ? { children } : {}),
  };
}
