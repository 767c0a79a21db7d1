import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { keyOf } from '@hypershift-ts/kube-apimachinery';
import { amountsOf, podRequests } from '../placement/pod-requests.ts';

type Node = corev1.Node;
type Pod = corev1.Pod;

/** One node as the scheduler sees it: what it has, and what runs or will run on it. */
export class NodeState {
  node: Node;
  allocatable: Record<string, number>;
  readonly pods = new Map<string, Pod>();
  readonly requested: Record<string, number> = {};

  constructor(node: Node) {
    this.node = node;
    this.allocatable = amountsOf(node.status?.allocatable);
  }

  get name(): string {
    return this.node.metadata.name ?? '';
  }

  setNode(node: Node): void {
    this.node = node;
    this.allocatable = amountsOf(node.status?.allocatable);
  }

  add(pod: Pod): void {
    const key = keyOf(pod);
    const known = this.pods.get(key);
    if (known) this.count(known, -1);
    this.pods.set(key, pod);
    this.count(pod, 1);
  }

  remove(key: string): void {
    const known = this.pods.get(key);
    if (!known) return;
    this.pods.delete(key);
    this.count(known, -1);
  }

  /** A copy to try things out on. */
  clone(): NodeState {
    const copy = new NodeState(this.node);
    for (const [key, pod] of this.pods) copy.pods.set(key, pod);
    Object.assign(copy.requested, this.requested);
    return copy;
  }

  private count(pod: Pod, sign: 1 | -1): void {
    const requests = podRequests(pod.spec);
    for (const resource in requests) {
      this.requested[resource] = (this.requested[resource] ?? 0) + sign * (requests[resource] ?? 0);
    }
  }
}
