import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { daemonPodName } from '../machines/daemon-protocol.ts';

/** How long pods of a node that does not answer may take to end; after that nobody waits for them. */
const lostAfterMs = 300_000;

/** Pods that must leave a node before its machine is changed. */
export function podsToMove(node: corev1.Node, pods: readonly corev1.Pod[], nowMs: number): readonly corev1.Pod[] {
  const isSilent =
    node.status?.conditions?.some(({ type, status }) => type === 'Ready' && status === 'Unknown') ?? false;
  return pods.filter(({ metadata, status }) => {
    // The kubelet runs it whatever the API server says.
    if (metadata.annotations?.['kubernetes.io/config.mirror'] !== undefined) return false;
    if (metadata.ownerReferences?.some(({ kind, controller }) => controller && kind === 'DaemonSet')) return false;
    if (metadata.name === daemonPodName(node.metadata.name ?? '')) return false;
    if (status?.phase === 'Succeeded' || status?.phase === 'Failed') return false;
    const since = metadata.deletionTimestamp ? nowMs - Date.parse(metadata.deletionTimestamp) : 0;
    return !(isSilent && since > lostAfterMs);
  });
}
