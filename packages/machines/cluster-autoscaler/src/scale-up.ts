import type { corev1, Random } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import { amountsOf, podRequests } from '@hypershift-ts/kube-controllers';
import { choose, type Option, type Priorities } from './expander.ts';
import type { AutoscalerFlags } from './flags.ts';
import type { NodeGroup } from './node-group.ts';
import { likenessOf, type Simulation } from './simulation.ts';
import type { TemplateNode } from './template-node.ts';

type Pod = corev1.Pod;

export interface GroupState {
  readonly group: NodeGroup;
  /** Undefined while nothing says what its machines are like. */
  readonly template: TemplateNode | undefined;
  /** Machines asked for whose nodes have not come yet. */
  readonly upcoming: number;
  /** Not scaled for now: its last machines did not become nodes in time. */
  readonly backedOff: boolean;
}

export interface ScaleUpInputs {
  readonly pending: readonly Pod[];
  readonly groups: readonly GroupState[];
  readonly nodeCount: number;
  readonly flags: AutoscalerFlags;
  readonly priorities?: Priorities | undefined;
  readonly random: Random;
}

export interface ScaleUp {
  /** New sizes of groups, by id. */
  readonly sizes: ReadonlyMap<string, number>;
  /** Pods that no group can help. */
  readonly helpless: readonly Pod[];
}

/** How many nodes of which groups the pending pods need, beyond those that are there or on their way. */
export function planScaleUp(simulation: Simulation, inputs: ScaleUpInputs): ScaleUp {
  const { groups, flags, random, priorities } = inputs;
  const sizes = new Map<string, number>();
  let total = inputs.nodeCount;
  for (const { template, upcoming } of groups) {
    total += upcoming;
    for (let i = 0; template && i < upcoming; i++) simulation.addNode(template);
  }
  let waiting = unplaced(simulation, byDemand(inputs.pending));
  while (waiting.length > 0) {
    const room = flags.maxNodesTotal > 0 ? flags.maxNodesTotal - total : Number.POSITIVE_INFINITY;
    const options = groups.flatMap((state) => optionOf(simulation, state, waiting, sizes, room) ?? []);
    const best = choose(options, flags.expanders, priorities, random);
    if (!best) break;
    for (const [id, size] of balanced(best, groups, sizes, flags)) sizes.set(id, size);
    total += best.count;
    for (let i = 0; i < best.count; i++) simulation.addNode(best.template);
    waiting = unplaced(simulation, waiting);
  }
  return { sizes, helpless: waiting };
}

/** The hungriest first: small ones fit into what they leave. */
function byDemand(pods: readonly Pod[]): readonly Pod[] {
  const demand = ({ spec }: Pod) => {
    const { cpu = 0, memory = 0 } = podRequests(spec);
    return cpu / 1000 + memory / 2 ** 32;
  };
  return [...pods].sort((a, b) => demand(b) - demand(a));
}

/** Places what fits and answers the rest; once one of a kind does not fit, its likes are not tried. */
function unplaced(simulation: Simulation, pods: readonly Pod[]): readonly Pod[] {
  const hopeless = new Set<string>();
  return pods.filter((pod) => {
    const likeness = likenessOf(pod);
    if (!hopeless.has(likeness) && simulation.place(pod)) return false;
    hopeless.add(likeness);
    return true;
  });
}

const sizeOf = ({ group }: GroupState, sizes: ReadonlyMap<string, number>) => sizes.get(group.id) ?? group.target;

/** How many nodes of one group the pods would need, tried out on nodes that are taken away again. */
function optionOf(
  simulation: Simulation,
  state: GroupState,
  waiting: readonly Pod[],
  sizes: ReadonlyMap<string, number>,
  room: number,
): Option | undefined {
  const { group, template } = state;
  const most = Math.min(group.max - sizeOf(state, sizes), room);
  if (!template || state.backedOff || most <= 0) return undefined;
  const fresh = new Set<string>();
  const helped: Pod[] = [];
  const hopeless = new Set<string>();
  const onFresh = ({ name }: { readonly name: string }) => fresh.has(name);
  for (const pod of waiting) {
    const likeness = likenessOf(pod);
    if (hopeless.has(likeness)) continue;
    if (simulation.place(pod, onFresh)) {
      helped.push(pod);
      continue;
    }
    if (fresh.size < most) {
      const name = simulation.addNode(template);
      fresh.add(name);
      if (simulation.place(pod, (node) => node.name === name)) {
        helped.push(pod);
        continue;
      }
      fresh.delete(name);
      simulation.removeNode(name);
    }
    hopeless.add(likeness);
  }
  for (const name of fresh) simulation.removeNode(name);
  return helped.length === 0 ? undefined : { group, template, count: fresh.size, pods: helped };
}

/** The chosen nodes, spread over groups whose machines are alike so that their sizes stay close. */
function balanced(
  { group, template, count }: Option,
  groups: readonly GroupState[],
  sizes: ReadonlyMap<string, number>,
  flags: AutoscalerFlags,
): ReadonlyMap<string, number> {
  const alike = groups.filter(
    (state) =>
      state.group.id === group.id ||
      (flags.balanceSimilarNodeGroups &&
        state.template &&
        !state.backedOff &&
        isSimilar(state.template, template, flags)),
  );
  const next = new Map(alike.map((state) => [state.group.id, sizeOf(state, sizes)]));
  for (let i = 0; i < count; i++) {
    const open = alike.filter(({ group: { id, max } }) => (next.get(id) ?? 0) < max);
    const smallest = open.reduce<GroupState | undefined>(
      (least, state) => (!least || (next.get(state.group.id) ?? 0) < (next.get(least.group.id) ?? 0) ? state : least),
      undefined,
    );
    if (smallest) next.set(smallest.group.id, (next.get(smallest.group.id) ?? 0) + 1);
  }
  return next;
}

const zoneLabels = [
  'kubernetes.io/hostname',
  'topology.kubernetes.io/zone',
  'topology.kubernetes.io/region',
  'failure-domain.beta.kubernetes.io/zone',
  'failure-domain.beta.kubernetes.io/region',
];

/** Memory may differ a little between machines of one type; everything else must be the same but where they are. */
function isSimilar(a: TemplateNode, b: TemplateNode, flags: AutoscalerFlags): boolean {
  const ignored = new Set([...zoneLabels, ...flags.balancingIgnoreLabels]);
  const labels = ({ node }: TemplateNode) =>
    Object.fromEntries(Object.entries(node.metadata.labels ?? {}).filter(([key]) => !ignored.has(key)));
  const [left, right] = [amountsOf(a.node.status?.allocatable), amountsOf(b.node.status?.allocatable)];
  const resources = new Set([...Object.keys(left), ...Object.keys(right)]);
  const close = [...resources].every((name) => {
    const [x, y] = [left[name] ?? 0, right[name] ?? 0];
    const tolerance = name === 'memory' ? Math.max(flags.maxFreeDifferenceRatio, 0.015) : 0;
    return Math.abs(x - y) <= Math.max(x, y) * tolerance;
  });
  return close && jsonEqual(a.node.spec?.taints ?? [], b.node.spec?.taints ?? []) && jsonEqual(labels(a), labels(b));
}
