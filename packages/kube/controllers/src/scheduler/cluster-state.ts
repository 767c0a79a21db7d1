import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { keyOf } from '@hypershift-ts/kube-apimachinery';
import { isPodFinished } from '../workload/pod-state.ts';
import { requiredAntiAffinity } from './filters/pod-affinity.ts';
import { NodeState } from './node-state.ts';

type Node = corev1.Node;
type Pod = corev1.Pod;

/** Nodes with the pods on them, including pods whose binding is under way. */
export class ClusterState {
  private readonly byName = new Map<string, NodeState>();
  /** Node of every known pod, also of nodes that are not known (yet). */
  private readonly placed = new Map<string, { readonly node: string; readonly pod: Pod; readonly assumed: boolean }>();
  /** Pods with required anti-affinity: the few that every newcomer must be held against. */
  private readonly repelling = new Map<string, string>();
  private readonly nominated = new Map<string, { readonly node: string; readonly pod: Pod }>();

  get nodeCount(): number {
    return this.byName.size;
  }

  nodes(): IterableIterator<NodeState> {
    return this.byName.values();
  }

  node(name: string): NodeState | undefined {
    return this.byName.get(name);
  }

  setNode(node: Node): void {
    const name = node.metadata.name ?? '';
    const known = this.byName.get(name);
    if (known) return known.setNode(node);
    const state = new NodeState(node);
    this.byName.set(name, state);
    for (const { node: place, pod } of this.placed.values()) if (place === name) state.add(pod);
  }

  removeNode(name: string): void {
    this.byName.delete(name);
  }

  /** A pod as the API server shows it; finished ones use nothing. */
  setPod(pod: Pod): void {
    const key = keyOf(pod);
    const node = pod.spec.nodeName;
    if (isPodFinished(pod)) return this.removePod(key);
    if (!node) return;
    this.place(key, node, pod, false);
  }

  removePod(key: string): void {
    const known = this.placed.get(key);
    this.placed.delete(key);
    this.nominated.delete(key);
    this.repelling.delete(key);
    if (known) this.byName.get(known.node)?.remove(key);
  }

  /** Counts the pod on the node before the API server has confirmed it. */
  assume(pod: Pod, node: string): void {
    this.place(keyOf(pod), node, { ...pod, spec: { ...pod.spec, nodeName: node } }, true);
  }

  /** The binding failed. */
  forget(pod: Pod): void {
    const key = keyOf(pod);
    if (this.placed.get(key)?.assumed) this.removePod(key);
  }

  isAssumed(key: string): boolean {
    return this.placed.get(key)?.assumed ?? false;
  }

  /** Placed pods that refuse others near them; `trial` stands in for the real node of its name. */
  *repellingPods(trial?: NodeState): Generator<{ readonly state: NodeState; readonly pod: Pod }> {
    for (const [key, node] of this.repelling) {
      const state = trial?.name === node ? trial : this.byName.get(node);
      const pod = state?.pods.get(key);
      if (state && pod) yield { state, pod };
    }
  }

  /** Room on a node is being made for the pod. */
  nominate(pod: Pod, node: string | undefined): void {
    if (node) this.nominated.set(keyOf(pod), { node, pod });
    else this.nominated.delete(keyOf(pod));
  }

  /** The node as a pod of this priority must see it: with the pods that room was made for. */
  withNominated(state: NodeState, pod: Pod): NodeState {
    if (this.nominated.size === 0) return state;
    let copy: NodeState | undefined;
    for (const [key, { node, pod: other }] of this.nominated) {
      if (node !== state.name || key === keyOf(pod)) continue;
      if ((other.spec.priority ?? 0) < (pod.spec.priority ?? 0)) continue;
      copy ??= state.clone();
      copy.add(other);
    }
    return copy ?? state;
  }

  private place(key: string, node: string, pod: Pod, assumed: boolean): void {
    const known = this.placed.get(key);
    if (known && known.node !== node) this.byName.get(known.node)?.remove(key);
    this.nominated.delete(key);
    this.placed.set(key, { node, pod, assumed });
    this.byName.get(node)?.add(pod);
    if (requiredAntiAffinity(pod).length > 0) this.repelling.set(key, node);
  }
}
