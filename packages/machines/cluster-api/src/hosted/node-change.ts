import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual } from '@hypershift-ts/kube-apimachinery';

type Node = corev1.Node;

const statesOf = ({ status }: Node) =>
  (status?.conditions ?? []).map(({ type, status: value, reason }) => `${type}=${value} ${reason ?? ''}`).join();

/** Whether a change of a Node can change what its Machine or a health check says; heartbeats cannot. */
export function nodeChangeMatters(before: Node, next: Node): boolean {
  return (
    before.spec?.providerID !== next.spec?.providerID ||
    before.spec?.unschedulable !== next.spec?.unschedulable ||
    before.metadata.deletionTimestamp !== next.metadata.deletionTimestamp ||
    statesOf(before) !== statesOf(next) ||
    !jsonEqual(before.spec?.taints, next.spec?.taints) ||
    !jsonEqual(before.metadata.labels, next.metadata.labels) ||
    !jsonEqual(before.metadata.annotations, next.metadata.annotations) ||
    !jsonEqual(before.status?.nodeInfo, next.status?.nodeInfo) ||
    !jsonEqual(before.status?.volumesAttached, next.status?.volumesAttached)
  );
}
