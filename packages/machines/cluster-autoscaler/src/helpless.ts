import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { AutoscalerFlags } from './flags.ts';
import type { GroupState } from './scale-up.ts';
import type { Simulation } from './simulation.ts';

export interface HelplessInputs {
  readonly groups: readonly GroupState[];
  /** Sizes decided on in this look, by group. */
  readonly sizes: ReadonlyMap<string, number>;
  readonly nodeCount: number;
  readonly flags: AutoscalerFlags;
}

/** Why no group can grow for a pod, group by group, each with what would change it. */
export function whyHelpless(simulation: Simulation, pod: corev1.Pod, inputs: HelplessInputs): string {
  const { flags, nodeCount } = inputs;
  if (flags.maxNodesTotal > 0 && nodeCount >= flags.maxNodesTotal)
    return `the cluster has ${nodeCount} nodes and may have ${flags.maxNodesTotal} (spec.autoscaling.maxNodesTotal)`;
  const reasons = inputs.groups.map((state) => `${state.group.id}: ${whyNotThis(simulation, pod, state, inputs)}`);
  return reasons.join('; ');
}

function whyNotThis(
  simulation: Simulation,
  pod: corev1.Pod,
  { group, template, backedOff }: GroupState,
  { sizes }: HelplessInputs,
): string {
  // First what the pod asks for: a larger group would not help one that fits on none of its nodes.
  if (!template) return 'nothing says how large its machines are; it needs one node, or annotations of its capacity';
  const refusals = simulation.refusalsOf(pod, template);
  if (refusals.length > 0) return `a new node would not take it (${refusals.join(', ')}${roomOn(template.node)})`;
  if ((sizes.get(group.id) ?? group.target) >= group.max) return `max node group size reached (${group.max})`;
  if (backedOff) return 'in backoff after machines that did not become nodes in time';
  return 'other pods take the room it may grow by';
}

function roomOn({ status }: corev1.Node): string {
  const { cpu, memory } = status?.allocatable ?? {};
  return `; it would have cpu ${cpu}, memory ${memory}, less what its daemons take`;
}
