import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { controllerOf } from '@hypershift-ts/kube-controller';
import { matchesTerm } from '../../placement/node-affinity.ts';
import { podRequests } from '../../placement/pod-requests.ts';
import { tolerates } from '../../placement/taints.ts';
import type { Surroundings } from '../filters/filter.ts';
import { termSelects } from '../filters/pod-affinity.ts';
import { spreadOf } from '../filters/topology-spread.ts';
import type { NodeState } from '../node-state.ts';

type Pod = corev1.Pod;
type Scorer = (state: NodeState) => number;

/** What a pod without requests is taken to use, so that such pods spread too. */
const assumed: { readonly [resource: string]: number } = { cpu: 100, memory: 200 * 1024 * 1024 };
const resources = ['cpu', 'memory'] as const;

/** Points for every node that could take the pod; more is better. Weights are Kubernetes' defaults. */
export function scoreNodes(
  pod: Pod,
  nodes: readonly NodeState[],
  around: Surroundings,
): ReadonlyMap<NodeState, number> {
  const total = new Map(nodes.map((state) => [state, allocationScore(pod, state)]));
  const add = (weight: number, scorer: Scorer | undefined, reverse = false) => {
    if (!scorer) return;
    const raw = nodes.map(scorer);
    const least = Math.min(...raw);
    const most = Math.max(...raw);
    if (most === least) return;
    nodes.forEach((state, i) => {
      const share = ((raw[i] ?? 0) - least) / (most - least);
      total.set(state, (total.get(state) ?? 0) + weight * 100 * (reverse ? 1 - share : share));
    });
  };
  add(3, preferNoScheduleTaints(pod), true);
  add(2, preferredNodeAffinity(pod));
  add(2, preferredPodAffinity(pod, around));
  add(2, softSpread(pod, around), true);
  return total;
}

/** Least allocated and evenly used nodes first. */
function allocationScore(pod: Pod, { allocatable, requested, pods }: NodeState): number {
  const wanted = podRequests(pod.spec);
  const fractions = resources.map((resource) => {
    const size = allocatable[resource] ?? 0;
    if (size === 0) return 1;
    const own = wanted[resource] || assumed[resource] || 0;
    const used = Math.max(requested[resource] ?? 0, pods.size * 0.1 * (assumed[resource] ?? 0));
    return Math.min(1, (used + own) / size);
  });
  const [cpu = 0, memory = 0] = fractions;
  const least = 100 * (1 - (cpu + memory) / 2);
  const balanced = 100 * (1 - Math.abs(cpu - memory) / 2);
  return least + balanced;
}

function preferNoScheduleTaints({ spec }: Pod): Scorer {
  return ({ node }) => {
    const soft = node.spec?.taints?.filter(({ effect }) => effect === 'PreferNoSchedule') ?? [];
    return soft.filter((taint) => !spec.tolerations?.some((toleration) => tolerates(toleration, taint))).length;
  };
}

function preferredNodeAffinity({ spec }: Pod): Scorer | undefined {
  const terms = spec.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution;
  if (!terms?.length) return undefined;
  return ({ node }) =>
    terms.reduce((sum, { preference, weight }) => sum + (matchesTerm(preference, node) ? weight : 0), 0);
}

function preferredPodAffinity(pod: Pod, around: Surroundings): Scorer | undefined {
  const { podAffinity, podAntiAffinity } = pod.spec.affinity ?? {};
  const terms = [
    ...(podAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []),
    ...(podAntiAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? []).map((one) => ({
      ...one,
      weight: -one.weight,
    })),
  ];
  if (terms.length === 0) return undefined;
  const points = new Map<string, number>();
  for (const { podAffinityTerm: term, weight } of terms) {
    for (const { node, pods } of around.nodes) {
      const value = node.metadata.labels?.[term.topologyKey];
      if (value === undefined) continue;
      let found = 0;
      for (const other of pods.values()) if (termSelects(term, pod, other, around)) found++;
      if (found > 0)
        points.set(`${term.topologyKey}=${value}`, (points.get(`${term.topologyKey}=${value}`) ?? 0) + found * weight);
    }
  }
  const keys = new Set(terms.map(({ podAffinityTerm }) => podAffinityTerm.topologyKey));
  return ({ node }) =>
    [...keys].reduce((sum, key) => sum + (points.get(`${key}=${node.metadata.labels?.[key]}`) ?? 0), 0);
}

/** Constraints that only ask; without any, pods of one controller keep apart from each other by node. */
function softSpread(pod: Pod, around: Surroundings): Scorer | undefined {
  const soft = (pod.spec.topologySpreadConstraints ?? []).filter((one) => one.whenUnsatisfiable === 'ScheduleAnyway');
  if (soft.length === 0) {
    const owner = controllerOf(pod)?.uid;
    if (!owner || pod.spec.topologySpreadConstraints?.length) return undefined;
    return ({ siblings }) => siblings.get(owner) ?? 0;
  }
  const spreads = soft.map((constraint) => spreadOf(constraint, pod, around, [constraint.topologyKey]));
  return ({ node }) =>
    spreads.reduce((sum, { constraint, counts }) => {
      const value = node.metadata.labels?.[constraint.topologyKey];
      return sum + (value === undefined ? Math.max(0, ...counts.values()) + 1 : (counts.get(value) ?? 0));
    }, 0);
}
