import type { corev1, policyv1 } from '@hypershift-ts/kube-apimachinery';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { NodeState } from '@hypershift-ts/kube-controllers';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import type { AutoscalerFlags } from './flags.ts';
import { podsToMove } from './movable.ts';
import type { NodeGroup } from './node-group.ts';
import type { Simulation } from './simulation.ts';

/** A node that belongs to a group, with its Machine. */
export interface Member {
  readonly node: corev1.Node;
  readonly machine: capiv1beta1.Machine;
  readonly group: NodeGroup;
}

export interface Candidate extends Member {
  /** Nothing has to move. */
  readonly empty: boolean;
  readonly ready: boolean;
}

const disabled = 'cluster-autoscaler.kubernetes.io/scale-down-disabled';

export const isReady = ({ status }: corev1.Node): boolean =>
  findCondition(status?.conditions, 'Ready')?.status === 'True';

/** The busiest part of a node: of its processors or its memory, whichever is asked for more. */
function utilizationOf({ allocatable, requested }: NodeState): number {
  const part = (resource: string) => {
    const room = allocatable[resource] ?? 0;
    return room > 0 ? (requested[resource] ?? 0) / room : 0;
  };
  return Math.max(part('cpu'), part('memory'));
}

export interface ScaleDownInputs {
  readonly members: readonly Member[];
  readonly budgets: readonly policyv1.PodDisruptionBudget[];
  readonly flags: AutoscalerFlags;
  /** Told of nodes that are little used and stay for another reason than the smallest size. */
  readonly onKept?: (node: corev1.Node, why: string) => void;
}

/** The nodes that could all go at once: little used, with pods that find a place on the nodes that stay. */
export function unneededNodes(
  simulation: Simulation,
  { members, budgets, flags, onKept }: ScaleDownInputs,
): readonly Candidate[] {
  const leaving = new Set<string>();
  const perGroup = new Map<string, number>();
  const found: Candidate[] = [];
  for (const member of members) {
    const { node, group } = member;
    const name = node.metadata.name ?? '';
    const state = simulation.state.node(name);
    const taken = perGroup.get(group.id) ?? 0;
    if (!state || group.target - taken <= group.min) continue;
    const ready = isReady(node);
    if (ready ? utilizationOf(state) >= flags.scaleDownUtilizationThreshold : !flags.scaleDownUnreadyEnabled) continue;
    if (node.metadata.annotations?.[disabled] === 'true') {
      onKept?.(node, `it is marked ${disabled}: "true"`);
      continue;
    }
    const moving = podsToMove([...state.pods.values()], budgets, flags);
    if ('blocked' in moving) {
      onKept?.(node, moving.blocked);
      continue;
    }
    leaving.add(name);
    if (!moveAll(simulation, moving.pods, leaving)) {
      leaving.delete(name);
      onKept?.(node, 'its pods do not fit on the nodes that would stay');
      continue;
    }
    perGroup.set(group.id, taken + 1);
    found.push({ ...member, empty: moving.pods.length === 0, ready });
  }
  return found;
}

/** All of them find a place on nodes that stay, or none moves. */
function moveAll(simulation: Simulation, pods: readonly corev1.Pod[], leaving: ReadonlySet<string>): boolean {
  const moved: corev1.Pod[] = [];
  const stays = ({ name, node }: NodeState) => !leaving.has(name) && isReady(node);
  for (const pod of pods) {
    const { nodeName: _nodeName, ...spec } = pod.spec;
    moved.push(pod);
    if (simulation.place({ ...pod, spec }, stays)) continue;
    for (const one of moved) simulation.restore(one);
    return false;
  }
  return true;
}
