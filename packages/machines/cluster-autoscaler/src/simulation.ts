import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { controllerOf } from '@hypershift-ts/kube-controller';
import { ClusterState, filtersFor, type NodeState, type Surroundings } from '@hypershift-ts/kube-controllers';
import { keyOf } from '@hypershift-ts/kube-apimachinery';
import { nodeLike, type TemplateNode } from './template-node.ts';

type Node = corev1.Node;
type Pod = corev1.Pod;

/** What the scheduler's filters read besides nodes and pods. */
export type Lookups = Omit<Surroundings, 'nodes' | 'repelling'>;

/** A copy of the cluster on which the scheduler's own rules can be tried out. */
export class Simulation {
  readonly state = new ClusterState();
  private readonly lookups: Lookups;
  private added = 0;

  constructor(nodes: readonly Node[], pods: readonly Pod[], lookups: Lookups) {
    this.lookups = lookups;
    for (const node of nodes) this.state.setNode(node);
    for (const pod of pods) this.state.setPod(pod);
  }

  /** Puts the pod on the first node that takes it and answers its name; `on` limits the choice. */
  place(pod: Pod, on: (node: NodeState) => boolean = () => true): string | undefined {
    const { state } = this;
    const filters = this.filtersFor(pod, on);
    if ('blocked' in filters) return undefined;
    for (const node of state.nodes()) {
      if (!on(node) || filters.filter(node)) continue;
      state.assume(pod, node.name);
      return node.name;
    }
    return undefined;
  }

  /** What keeps the pod off a new node like the template, in the scheduler's words. */
  refusalsOf(pod: Pod, template: TemplateNode): readonly string[] {
    const name = this.addNode(template);
    const node = this.state.node(name);
    const filters = this.filtersFor(pod, (other) => other.name === name);
    const reasons = 'blocked' in filters ? [filters.blocked] : node && filters.filter(node)?.reasons;
    this.removeNode(name);
    return reasons ?? [];
  }

  private filtersFor(pod: Pod, on: (node: NodeState) => boolean): ReturnType<typeof filtersFor> {
    const { state, lookups } = this;
    return filtersFor(pod, {
      ...lookups,
      get nodes() {
        return [...state.nodes()].filter(on);
      },
      get repelling() {
        return state.repellingPods();
      },
    });
  }

  /** Another node like the template, with its daemons on it. */
  addNode(template: TemplateNode): string {
    const node = nodeLike(template, this.added++);
    const name = node.metadata.name ?? '';
    this.state.setNode(node);
    for (const daemon of template.daemons) {
      const copy = { ...daemon.metadata, name: `${daemon.metadata.name}-${name}` };
      this.state.assume({ ...daemon, metadata: copy }, name);
    }
    return name;
  }

  removeNode(name: string): void {
    for (const key of this.state.node(name)?.pods.keys() ?? []) this.state.removePod(key);
    this.state.removeNode(name);
  }

  /** Puts a pod back where the API server says it is. */
  restore(pod: Pod): void {
    this.state.removePod(keyOf(pod));
    this.state.setPod(pod);
  }
}

/** Pods that one controller made from one template stand or fall together. */
export function likenessOf(pod: Pod): string {
  const owner = controllerOf(pod)?.uid;
  if (!owner) return keyOf(pod);
  const { labels = {} } = pod.metadata;
  return `${owner} ${labels['pod-template-hash'] ?? labels['controller-revision-hash'] ?? ''}`;
}
