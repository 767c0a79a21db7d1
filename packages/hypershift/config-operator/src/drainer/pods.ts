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

/** `1h30m`, as durations stand in Machines, in milliseconds; undefined when there is none or it means for ever. */
export function durationMs(text: string | undefined): number | undefined {
  if (!text) return undefined;
  const units = { ms: 1, s: 1000, m: 60_000, h: 3_600_000 } as const;
  let total = 0;
  for (const [, amount, unit] of text.matchAll(/(\d+(?:\.\d+)?)(ms|s|m|h)/g))
    total += Number(amount) * units[unit as keyof typeof units];
  return total > 0 ? total : undefined;
}
