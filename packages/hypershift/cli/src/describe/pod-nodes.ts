import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { isConditionTrue } from '@hypershift-ts/kube-apimachinery';
import type { TreeNode } from './tree.ts';

/** Why a pod is not ready, from the most telling source. */
export function podProblem(pod: corev1.Pod): string | undefined {
  const { status, metadata } = pod;
  if (status?.phase === 'Succeeded') return undefined;
  if (metadata.deletionTimestamp) return 'terminating';
  if (isConditionTrue(status?.conditions, 'Ready')) return undefined;
  const containers = [...(status?.initContainerStatuses ?? []), ...(status?.containerStatuses ?? [])];
  for (const { name, state, lastState, restartCount } of containers) {
    const waiting = state?.waiting;
    const ended = state?.terminated ?? lastState?.terminated;
    if (waiting?.reason && !benign.has(waiting.reason))
      return `container ${name}: ${waiting.reason}${waiting.message ? `: ${waiting.message}` : ''}${restarts(restartCount)}`;
    if (ended && ended.exitCode !== 0)
      return `container ${name} ended with ${ended.exitCode}${ended.message ? `: ${ended.message}` : ''}${restarts(restartCount)}`;
  }
  const unscheduled = status?.conditions?.find(({ type, status: s }) => type === 'PodScheduled' && s === 'False');
  if (unscheduled) return `not scheduled: ${unscheduled.message ?? unscheduled.reason ?? ''}`;
  const unready = containers.filter(({ ready }) => !ready).map(({ name }) => name);
  return unready.length > 0 ? `not ready: ${unready.join(', ')}` : `phase ${status?.phase ?? 'unknown'}`;
}

const benign = new Set(['ContainerCreating', 'PodInitializing']);
const restarts = (count: number) => (count > 0 ? `, ${count} restarts` : '');

export function podNode(pod: corev1.Pod): TreeNode {
  const problem = podProblem(pod);
  const name = pod.metadata.name ?? '';
  if (!problem) return { kind: 'Pod', name, state: 'good' };
  return { kind: 'Pod', name, state: problem.startsWith('container') ? 'bad' : 'waiting', detail: problem };
}
