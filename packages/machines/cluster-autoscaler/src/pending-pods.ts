import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { AutoscalerFlags } from './flags.ts';

type Pod = corev1.Pod;

/** The scheduler found no node for it. */
export function isUnschedulable({ spec, status, metadata }: Pod): boolean {
  if (spec.nodeName || metadata.deletionTimestamp || spec.schedulingGates?.length) return false;
  const scheduled = findCondition(status?.conditions, 'PodScheduled');
  return scheduled?.status === 'False' && scheduled.reason === 'Unschedulable';
}

/** Pods worth a node: not those of so low a priority that they only use what is left over. */
export function pendingPods(pods: readonly Pod[], flags: AutoscalerFlags, nowMs: number): readonly Pod[] {
  return pods.filter(
    (pod) =>
      isUnschedulable(pod) &&
      (pod.spec.priority ?? 0) >= flags.expendablePodsPriorityCutoff &&
      Date.parse(pod.metadata.creationTimestamp ?? '') + flags.newPodScaleUpDelayMs <= nowMs,
  );
}
