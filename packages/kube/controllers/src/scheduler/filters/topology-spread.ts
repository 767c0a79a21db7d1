import type { corev1, LabelSelector } from '@hypershift-ts/kube-apimachinery';
import { matchesNode } from '../../placement/node-affinity.ts';
import { untoleratedTaint } from '../../placement/taints.ts';
import { selectorFor } from '../../workload/selectors.ts';
import type { NodeState } from '../node-state.ts';
import type { Filter, Surroundings } from './filter.ts';

type Pod = corev1.Pod;
type Constraint = corev1.TopologySpreadConstraint;

/** How many pods of the group each value of the topology key has. */
export interface Spread {
  readonly constraint: Constraint;
  readonly counts: ReadonlyMap<string, number>;
  /** Whether the pod itself belongs to the group it is spread over. */
  readonly self: boolean;
}

export function spreadOf(constraint: Constraint, pod: Pod, around: Surroundings, keys: readonly string[]): Spread {
  const selects = groupOf(constraint, pod);
  const counts = new Map<string, number>();
  for (const state of around.nodes) {
    const value = state.node.metadata.labels?.[constraint.topologyKey];
    // Only nodes with all topology keys and within reach of the pod count.
    if (value === undefined || !keys.every((key) => state.node.metadata.labels?.[key] !== undefined)) continue;
    if (!isEligible(constraint, pod, state)) continue;
    let count = counts.get(value) ?? 0;
    for (const other of state.pods.values()) if (selects(other)) count++;
    counts.set(value, count);
  }
  return { constraint, counts, self: selects(pod) };
}

function groupOf(constraint: Constraint, pod: Pod): (other: Pod) => boolean {
  const selector = selectorFor(constraint.labelSelector as LabelSelector | undefined);
  const keys = (constraint.matchLabelKeys ?? []).filter((key) => pod.metadata.labels?.[key] !== undefined);
  const { namespace, labels } = pod.metadata;
  return (other) =>
    other.metadata.namespace === namespace &&
    !other.metadata.deletionTimestamp &&
    selector.matches(other.metadata.labels) &&
    keys.every((key) => other.metadata.labels?.[key] === labels?.[key]);
}

function isEligible({ nodeAffinityPolicy, nodeTaintsPolicy }: Constraint, pod: Pod, { node }: NodeState): boolean {
  if ((nodeAffinityPolicy ?? 'Honor') === 'Honor' && !matchesNode(pod.spec, node)) return false;
  if (nodeTaintsPolicy !== 'Honor') return true;
  return !untoleratedTaint(node.spec?.taints, pod.spec.tolerations, ['NoSchedule', 'NoExecute']);
}

export function spreadFilter(pod: Pod, around: Surroundings): Filter | undefined {
  const hard = (pod.spec.topologySpreadConstraints ?? []).filter((one) => one.whenUnsatisfiable === 'DoNotSchedule');
  if (hard.length === 0) return undefined;
  const keys = hard.map(({ topologyKey }) => topologyKey);
  const spreads = hard.map((constraint) => spreadOf(constraint, pod, around, keys));
  const least = spreads.map(({ constraint, counts }) =>
    counts.size < (constraint.minDomains ?? 1) ? 0 : Math.min(...(counts.size > 0 ? counts.values() : [0])),
  );
  const text = "node(s) didn't match pod topology spread constraints";
  return ({ node }) => {
    for (const [index, { constraint, counts, self }] of spreads.entries()) {
      const value = node.metadata.labels?.[constraint.topologyKey];
      if (value === undefined) {
        return { reasons: [`${text} (missing required label)`], cause: 'pods', preemptible: false };
      }
      const skew = (counts.get(value) ?? 0) + (self ? 1 : 0) - (least[index] ?? 0);
      if (skew > constraint.maxSkew) return { reasons: [text], cause: 'pods', preemptible: true };
    }
    return undefined;
  };
}
