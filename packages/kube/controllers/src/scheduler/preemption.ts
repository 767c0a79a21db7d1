import type { corev1, LabelSelector, policyv1 } from '@hypershift-ts/kube-apimachinery';
import { keyOf } from '@hypershift-ts/kube-apimachinery';
import { timeOf } from '../workload/pod-state.ts';
import { selectorFor } from '../workload/selectors.ts';
import type { Filter, Refusal } from './filters/filter.ts';
import type { NodeState } from './node-state.ts';

type Pod = corev1.Pod;
type Budget = policyv1.PodDisruptionBudget;

/** A node that could take the pod if these pods left it. */
export interface Candidate {
  readonly node: NodeState;
  readonly victims: readonly Pod[];
  readonly violations: number;
}

const priorityOf = ({ spec }: Pod): number => spec.priority ?? 0;

export function mayPreempt({ spec }: Pod): boolean {
  return spec.preemptionPolicy !== 'Never';
}

/** The victims on one node: as few and as unimportant as possible, those protected by a budget last. */
export function victimsOn(
  pod: Pod,
  state: NodeState,
  refilter: (pods: NodeState) => Filter | undefined,
  budgets: readonly Budget[],
): Candidate | undefined {
  const lower = [...state.pods.values()].filter((other) => priorityOf(other) < priorityOf(pod));
  if (lower.length === 0) return undefined;
  const trial = state.clone();
  for (const other of lower) trial.remove(keyOf(other));
  const fits = () => refilter(trial)?.(trial) === undefined;
  if (!fits()) return undefined;
  const { violating, others } = splitByBudgets(lower, budgets);
  const victims: Pod[] = [];
  let violations = 0;
  for (const [group, counts] of [
    [violating, true],
    [others, false],
  ] as const) {
    for (const other of [...group].sort(moreImportantFirst)) {
      trial.add(other);
      if (fits()) continue;
      trial.remove(keyOf(other));
      victims.push(other);
      if (counts) violations++;
    }
  }
  return { node: state, victims, violations };
}

/** The least harmful candidate. */
export function bestCandidate(candidates: readonly Candidate[]): Candidate | undefined {
  const cost = ({ victims, violations }: Candidate) => [
    violations,
    Math.max(...victims.map(priorityOf)),
    victims.reduce((sum, victim) => sum + priorityOf(victim), 0),
    victims.length,
    -Math.min(...victims.map((victim) => timeOf(victim.status?.startTime))),
  ];
  return [...candidates].sort((a, b) => compareLists(cost(a), cost(b)))[0];
}

export function couldHelp(refusal: Refusal): boolean {
  return refusal.preemptible;
}

function compareLists(a: readonly number[], b: readonly number[]): number {
  for (const [index, value] of a.entries()) {
    const difference = value - (b[index] ?? 0);
    if (difference !== 0) return difference;
  }
  return 0;
}

function moreImportantFirst(a: Pod, b: Pod): number {
  return priorityOf(b) - priorityOf(a) || timeOf(a.status?.startTime) - timeOf(b.status?.startTime);
}

function splitByBudgets(pods: readonly Pod[], budgets: readonly Budget[]) {
  const left = new Map(budgets.map((budget) => [budget, budget.status?.disruptionsAllowed ?? 0]));
  const violating: Pod[] = [];
  const others: Pod[] = [];
  for (const pod of pods) {
    let violates = false;
    for (const budget of budgets) {
      if (budget.metadata.namespace !== pod.metadata.namespace) continue;
      const selector = selectorFor(budget.spec?.selector as LabelSelector | undefined);
      if (selector.everything || !selector.matches(pod.metadata.labels)) continue;
      const allowed = (left.get(budget) ?? 0) - 1;
      left.set(budget, allowed);
      if (allowed < 0) violates = true;
    }
    (violates ? violating : others).push(pod);
  }
  return { violating, others };
}
