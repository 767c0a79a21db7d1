import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { AutoscalerFlags } from './flags.ts';
import { isReady } from './scale-down.ts';

/** A node that is not ready yet has this long to become it before it counts as unready. */
const startupMs = 15 * 60_000;

/**
 * Why nothing should be scaled now: so many nodes are away at once that something else than load must be the cause.
 * Undefined for a cluster that is well.
 */
export function whyUnhealthy(nodes: readonly corev1.Node[], flags: AutoscalerFlags, nowMs: number): string | undefined {
  const isYoung = ({ metadata }: corev1.Node) => Date.parse(metadata.creationTimestamp ?? '') + startupMs > nowMs;
  const unready = nodes.filter((node) => !isReady(node) && !isYoung(node)).length;
  const isFew = unready <= flags.okTotalUnreadyCount;
  if (isFew || unready * 100 <= nodes.length * flags.maxTotalUnreadyPercentage) return undefined;
  return `${unready} of ${nodes.length} nodes are not ready; nothing is scaled until more of them are`;
}
