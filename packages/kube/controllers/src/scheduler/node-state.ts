import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { keyOf } from '@hypershift-ts/kube-apimachinery';
import { controllerOf } from '@hypershift-ts/kube-controller';
import { amountsOf, podRequests } from '../placement/pod-requests.ts';

type Node = corev1.Node;
type Pod = corev1.Pod;

/** One node as the scheduler sees it: what it has, and what runs or will run on it. */
export class NodeState {
  node: Node;
  allocatable: Record<string, number>;
  readonly pods = new Map<string, Pod>();
  readonly requested: Record<string, number> = {};
  /** Pods of one controller here, by the controller's uid. */
  readonly siblings = new Map<string, number>();

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
    for (const [uid, count] of this.siblings) copy.siblings.set(uid, count);
    return copy;
  }

  private count(pod: Pod, sign: 1 | -1): void {
    const owner = controllerOf(pod)?.uid;
    if (owner) {
      const count = (this.siblings.get(owner) ?? 0) + sign;
      if (count > 0) this.siblings.set(owner, count);
      else this.siblings.delete(owner);
    }
    const requests = podRequests(pod.spec);
    for (const resource in requests) {
      this.requested[resource] = (this.requested[resource] ?? 0) + sign * (requests[resource] ?? 0);
    }
  }
}
