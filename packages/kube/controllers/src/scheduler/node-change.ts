import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { jsonEqual } from '@hypershift-ts/kube-apimachinery';
import type { Cause } from './filters/filter.ts';

type Node = corev1.Node;

/** Which waiting pods a node's change could help; heartbeats help nobody. */
export function nodeChange(before: Node, next: Node): readonly Cause[] {
  const causes: Cause[] = [];
  if (!jsonEqual(before.metadata.labels ?? {}, next.metadata.labels ?? {})) causes.push('node', 'pods', 'volumes');
  else if (
    Boolean(before.spec?.unschedulable) !== Boolean(next.spec?.unschedulable) ||
    !jsonEqual(before.spec?.taints ?? [], next.spec?.taints ?? [])
  ) {
    causes.push('node', 'pods');
  }
  if (!jsonEqual(before.status?.allocatable ?? {}, next.status?.allocatable ?? {})) causes.push('resources');
  return causes;
}
