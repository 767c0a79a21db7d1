import type { corev1, LabelSelector } from '@hypershift-ts/kube-apimachinery';
import { selectorFor } from '../../workload/selectors.ts';
import type { NodeState } from '../node-state.ts';
import type { Filter, Surroundings } from './filter.ts';

type Pod = corev1.Pod;
type Term = corev1.PodAffinityTerm;

/** Whether a term written in `owner` speaks of `other`. */
export function termSelects(term: Term, owner: Pod, other: Pod, around: Surroundings): boolean {
  const namespace = other.metadata.namespace ?? '';
  const { namespaces, namespaceSelector } = term;
  const named = namespaces?.includes(namespace) ?? false;
  const selected =
    namespaceSelector !== undefined &&
    selectorFor(namespaceSelector as LabelSelector).matches(around.namespaceLabels(namespace));
  const implied = !namespaces?.length && !namespaceSelector && namespace === owner.metadata.namespace;
  if (!named && !selected && !implied) return false;
  if (!selectorFor(term.labelSelector as LabelSelector | undefined).matches(other.metadata.labels)) return false;
  const labels = owner.metadata.labels ?? {};
  const theirs = other.metadata.labels ?? {};
  return (
    (term.matchLabelKeys ?? []).every((key) => labels[key] === undefined || labels[key] === theirs[key]) &&
    (term.mismatchLabelKeys ?? []).every((key) => labels[key] === undefined || labels[key] !== theirs[key])
  );
}

const requiredAffinity = ({ spec }: Pod): readonly Term[] =>
  spec.affinity?.podAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];
export const requiredAntiAffinity = ({ spec }: Pod): readonly Term[] =>
  spec.affinity?.podAntiAffinity?.requiredDuringSchedulingIgnoredDuringExecution ?? [];

const labelOf = ({ node }: NodeState, key: string) => node.metadata.labels?.[key];

/** The values of `term.topologyKey` where a pod the term selects runs. */
function domainsOf(term: Term, owner: Pod, around: Surroundings): ReadonlySet<string> {
  const domains = new Set<string>();
  for (const state of around.nodes) {
    const value = labelOf(state, term.topologyKey);
    if (value === undefined || domains.has(value)) continue;
    for (const other of state.pods.values()) {
      if (!termSelects(term, owner, other, around)) continue;
      domains.add(value);
      break;
    }
  }
  return domains;
}

export function affinityFilter(pod: Pod, around: Surroundings): Filter | undefined {
  const terms = requiredAffinity(pod).map((term) => ({ term, domains: domainsOf(term, pod, around) }));
  if (terms.length === 0) return undefined;
  // The first of a group that wants to be together has nobody to be with yet.
  const isFirst =
    terms.every(({ domains }) => domains.size === 0) && terms.every(({ term }) => termSelects(term, pod, pod, around));
  const reasons = ["node(s) didn't match pod affinity rules"];
  return (state) => {
    const fits = terms.every(({ term, domains }) => {
      const value = labelOf(state, term.topologyKey);
      return value !== undefined && (isFirst || domains.has(value));
    });
    return fits ? undefined : { reasons, cause: 'pods', preemptible: false };
  };
}

export function antiAffinityFilter(pod: Pod, around: Surroundings): Filter | undefined {
  const terms = requiredAntiAffinity(pod);
  if (terms.length === 0) return undefined;
  const domains = terms.map((term) => ({ term, taken: domainsOf(term, pod, around) }));
  const reasons = ["node(s) didn't match pod anti-affinity rules"];
  return (state) => {
    const clash = domains.some(({ term, taken }) => taken.has(labelOf(state, term.topologyKey) ?? '\0'));
    return clash ? { reasons, cause: 'pods', preemptible: true } : undefined;
  };
}

/** Pods that are there already may refuse newcomers near them. */
export function existingAntiAffinityFilter(pod: Pod, around: Surroundings): Filter | undefined {
  const closed = new Map<string, Set<string>>();
  for (const { state, pod: other } of around.repelling) {
    for (const term of requiredAntiAffinity(other)) {
      const value = labelOf(state, term.topologyKey);
      if (value === undefined || !termSelects(term, other, pod, around)) continue;
      const values = closed.get(term.topologyKey) ?? new Set();
      closed.set(term.topologyKey, values.add(value));
    }
  }
  if (closed.size === 0) return undefined;
  const reasons = ["node(s) didn't satisfy existing pods anti-affinity rules"];
  return (state) => {
    for (const [key, values] of closed) {
      if (values.has(labelOf(state, key) ?? '\0')) return { reasons, cause: 'pods', preemptible: true };
    }
    return undefined;
  };
}
