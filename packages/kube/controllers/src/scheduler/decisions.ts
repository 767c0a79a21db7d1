import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { corev1 as core, policyv1, storagev1 } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache, Random } from '@hypershift-ts/kube-client';
import type { ClusterState } from './cluster-state.ts';
import { blockedText, diagnosisText, noNodesText, preemptionText } from './diagnosis.ts';
import type { Cause, Refusal, Surroundings } from './filters/index.ts';
import { filtersFor } from './filters/index.ts';
import { unboundClaims } from './filters/volumes.ts';
import type { NodeState } from './node-state.ts';
import type { Candidate } from './preemption.ts';
import { bestCandidate, couldHelp, mayPreempt, victimsOn } from './preemption.ts';
import { scoreNodes } from './scores/scores.ts';

type Pod = corev1.Pod;

export interface NoNode {
  readonly node?: undefined;
  readonly message: string;
  readonly causes: ReadonlySet<Cause>;
  /** Room can be made here. */
  readonly preempt?: Candidate;
}

export type Decision = { readonly node: string } | NoNode;

/** Chooses nodes from what is known right now; writes nothing. */
export class Decisions {
  private readonly state: ClusterState;
  private readonly cache: InformerCache;
  private readonly random: Random;

  constructor(state: ClusterState, cache: InformerCache, random: Random) {
    this.state = state;
    this.cache = cache;
    this.random = random;
  }

  decide(pod: Pod): Decision {
    const { state } = this;
    const count = state.nodeCount;
    if (count === 0) return { message: noNodesText, causes: new Set(['node']) };
    const around = this.surroundings();
    const filters = filtersFor(pod, around);
    if ('blocked' in filters) {
      const preemption = preemptionText(count, count);
      return { message: blockedText(count, filters.blocked, preemption), causes: new Set(['volumes', 'node']) };
    }
    const fitting: NodeState[] = [];
    const refusals = new Map<NodeState, Refusal>();
    for (const node of state.nodes()) {
      const refusal = filters.filter(state.withNominated(node, pod));
      if (refusal) refusals.set(node, refusal);
      else fitting.push(node);
    }
    if (fitting.length > 0) return { node: this.choose(pod, fitting, around).name };
    return this.noNode(pod, refusals);
  }

  /** Claims of the pod that are bound only once its node is known. */
  waitingClaims(pod: Pod): readonly corev1.PersistentVolumeClaim[] {
    return unboundClaims(pod, this.surroundings());
  }

  private choose(pod: Pod, fitting: readonly NodeState[], around: Surroundings): NodeState {
    const nominated = fitting.find(({ name }) => name === pod.status?.nominatedNodeName);
    if (nominated || fitting.length === 1) return nominated ?? (fitting[0] as NodeState);
    const scores = scoreNodes(pod, fitting, around);
    const most = Math.max(...scores.values());
    const best = fitting.filter((node) => scores.get(node) === most);
    return best[Math.floor(this.random() * best.length)] ?? (best[0] as NodeState);
  }

  private noNode(pod: Pod, refusals: ReadonlyMap<NodeState, Refusal>): NoNode {
    const count = this.state.nodeCount;
    const causes = new Set([...refusals.values()].map(({ cause }) => cause));
    if (!mayPreempt(pod)) {
      const text = 'preemption: not eligible due to preemptionPolicy=Never..';
      return { message: diagnosisText(count, refusals.values(), text), causes };
    }
    const preempt = this.preemption(pod, refusals);
    if (preempt) return { message: diagnosisText(count, refusals.values()), causes, preempt };
    const helpless = [...refusals.values()].filter((refusal) => !couldHelp(refusal)).length;
    return { message: diagnosisText(count, refusals.values(), preemptionText(count, helpless)), causes };
  }

  private preemption(pod: Pod, refusals: ReadonlyMap<NodeState, Refusal>): Candidate | undefined {
    const nominated = pod.status?.nominatedNodeName && this.state.node(pod.status.nominatedNodeName);
    // Victims are already on their way out there.
    const terminating =
      nominated &&
      [...nominated.pods.values()].some(
        (other) => other.metadata.deletionTimestamp && (other.spec.priority ?? 0) < (pod.spec.priority ?? 0),
      );
    if (terminating) return undefined;
    const budgets = this.cache.informer(policyv1.poddisruptionbudgets).list();
    const candidates: Candidate[] = [];
    for (const [node, refusal] of refusals) {
      if (!couldHelp(refusal)) continue;
      const refilter = (trial: NodeState) => {
        const filters = filtersFor(pod, this.surroundings(trial));
        return 'blocked' in filters ? undefined : filters.filter;
      };
      const candidate = victimsOn(pod, this.state.withNominated(node, pod), refilter, budgets);
      if (candidate && candidate.victims.length > 0) candidates.push(candidate);
    }
    return bestCandidate(candidates);
  }

  /** What filters read; `trial` stands in for the real node of its name. */
  private surroundings(trial?: NodeState): Surroundings {
    const { cache, state } = this;
    const nodes = trial ? [...state.nodes()].map((node) => (node.name === trial.name ? trial : node)) : undefined;
    return {
      get nodes() {
        return nodes ?? state.nodes();
      },
      get repelling() {
        return state.repellingPods(trial);
      },
      namespaceLabels: (name) => cache.informer(core.namespaces).get({ name })?.metadata.labels,
      claim: (namespace, name) => cache.informer(core.persistentvolumeclaims).get({ namespace, name }),
      volume: (name) => cache.informer(core.persistentvolumes).get({ name }),
      storageClass: (name) => cache.informer(storagev1.storageclasses).get({ name }),
    };
  }
}
