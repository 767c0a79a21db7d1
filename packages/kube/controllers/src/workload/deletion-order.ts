import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { isPodReady, maxContainerRestarts, readySince, timeOf } from './pod-state.ts';

type Pod = corev1.Pod;

const costAnnotation = 'controller.kubernetes.io/pod-deletion-cost';
const phaseRank: { readonly [phase: string]: number } = { Pending: 0, Unknown: 1, Running: 2 };

function deletionCost(pod: Pod): number {
  const text = pod.metadata.annotations?.[costAnnotation];
  return text !== undefined && /^(0|[+-]?[1-9][0-9]*)$/.test(text) ? Number(text) : 0;
}

/** Of two pods the one that a scale-down should take first sorts first; `rank` counts neighbours on the same node. */
function compareForDeletion(a: Pod, b: Pod, rank: (pod: Pod) => number): number {
  const assigned = Number(Boolean(a.spec.nodeName)) - Number(Boolean(b.spec.nodeName));
  if (assigned !== 0) return assigned;
  const phase = (phaseRank[a.status?.phase ?? ''] ?? 0) - (phaseRank[b.status?.phase ?? ''] ?? 0);
  if (phase !== 0) return phase;
  const ready = Number(isPodReady(a)) - Number(isPodReady(b));
  if (ready !== 0) return ready;
  const cost = deletionCost(a) - deletionCost(b);
  if (cost !== 0) return cost;
  const neighbours = rank(b) - rank(a);
  if (neighbours !== 0) return neighbours;
  if (isPodReady(a)) {
    const since = (readySince(b) || 0) - (readySince(a) || 0);
    if (since !== 0) return since;
  }
  const restarts = maxContainerRestarts(b) - maxContainerRestarts(a);
  if (restarts !== 0) return restarts;
  return timeOf(b.metadata.creationTimestamp) - timeOf(a.metadata.creationTimestamp);
}

/** The `count` pods to delete first. `related` are all pods of the same workload, for evening out over nodes. */
export function podsToDelete(pods: readonly Pod[], related: readonly Pod[], count: number): readonly Pod[] {
  if (count >= pods.length) return pods;
  const onNode = new Map<string, number>();
  for (const { spec } of related) if (spec.nodeName) onNode.set(spec.nodeName, (onNode.get(spec.nodeName) ?? 0) + 1);
  const rank = (pod: Pod) => (pod.spec.nodeName ? (onNode.get(pod.spec.nodeName) ?? 0) : 0);
  return [...pods].sort((a, b) => compareForDeletion(a, b, rank)).slice(0, count);
}
