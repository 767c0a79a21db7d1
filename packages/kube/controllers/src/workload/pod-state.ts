import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { findCondition, isConditionTrue } from '@hypershift-ts/kube-apimachinery';

type Pod = corev1.Pod;

export function isPodReady(pod: Pod): boolean {
  return isConditionTrue(pod.status?.conditions, 'Ready');
}

export function isPodFinished(pod: Pod): boolean {
  return pod.status?.phase === 'Succeeded' || pod.status?.phase === 'Failed';
}

/** Counts towards its owner's replicas: neither finished nor on its way out. */
export function isPodActive(pod: Pod): boolean {
  return !isPodFinished(pod) && !pod.metadata.deletionTimestamp;
}

export function isPodTerminating(pod: Pod): boolean {
  return !isPodFinished(pod) && pod.metadata.deletionTimestamp !== undefined;
}

/** Since when the pod has been Ready, in milliseconds; NaN when it is not or nobody wrote it down. */
export function readySince(pod: Pod): number {
  const condition = findCondition(pod.status?.conditions, 'Ready');
  return condition?.status === 'True' ? Date.parse(condition.lastTransitionTime ?? '') : Number.NaN;
}

/** Milliseconds until the pod has been Ready long enough: 0 is available, undefined is not ready at all. */
export function availableIn(pod: Pod, minReadySeconds: number, now: number): number | undefined {
  if (!isPodReady(pod)) return undefined;
  if (minReadySeconds <= 0) return 0;
  const since = readySince(pod);
  if (Number.isNaN(since)) return undefined;
  return Math.max(0, since + minReadySeconds * 1000 - now);
}

export function isPodAvailable(pod: Pod, minReadySeconds: number, now: number): boolean {
  return availableIn(pod, minReadySeconds, now) === 0;
}

/** When the next of these ready pods becomes available, or undefined when none is waiting. */
export function nextAvailableIn(pods: readonly Pod[], minReadySeconds: number, now: number): number | undefined {
  let next: number | undefined;
  if (minReadySeconds <= 0) return undefined;
  for (const pod of pods) {
    const wait = availableIn(pod, minReadySeconds, now);
    if (wait && (next === undefined || wait < next)) next = wait;
  }
  return next;
}

export function maxContainerRestarts(pod: Pod): number {
  return Math.max(0, ...(pod.status?.containerStatuses ?? []).map((status) => status.restartCount));
}

/** Milliseconds of an RFC 3339 time; 0 when absent. */
export function timeOf(text: string | undefined): number {
  const time = text === undefined ? 0 : Date.parse(text);
  return Number.isNaN(time) ? 0 : time;
}

export function olderFirst(a: { metadata: { creationTimestamp?: string; name?: string } }, b: typeof a): number {
  const difference = timeOf(a.metadata.creationTimestamp) - timeOf(b.metadata.creationTimestamp);
  if (difference !== 0) return difference;
  return (a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1;
}
