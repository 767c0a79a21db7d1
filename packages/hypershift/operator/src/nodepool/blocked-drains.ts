/** Machines that cannot go because their pods cannot be evicted. */
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';

export interface BlockedDrain {
  readonly machine: string;
  readonly nodePool: string;
  readonly reason: string;
  /** Names the pods and the PodDisruptionBudgets in the way, as the drain reported them. */
  readonly message: string;
}

const nodePoolAnnotation = 'hypershift.openshift.io/nodePool';

/**
 * The drains under way that something holds up. Pod and budget names are in the newer of the two condition lists of
 * Cluster API where it is filled, else in the older one.
 */
export function blockedDrains(machines: readonly capiv1beta1.Machine[]): readonly BlockedDrain[] {
  return machines.flatMap(({ metadata, status }) => {
    if (!metadata.deletionTimestamp) return [];
    const drain = findCondition(status?.conditions, 'DrainingSucceeded');
    const deleting = findCondition(status?.v1beta2?.conditions, 'Deleting');
    const isDraining = deleting?.reason === 'DrainingNode' || (drain !== undefined && drain.status !== 'True');
    const message = deleting?.reason === 'DrainingNode' && deleting.message ? deleting.message : drain?.message;
    if (!isDraining || !message) return [];
    return [
      {
        machine: metadata.name ?? '',
        nodePool: metadata.annotations?.[nodePoolAnnotation]?.split('/')[1] ?? '',
        reason: drain?.reason || 'Draining',
        message: message.trim(),
      },
    ];
  });
}

/** The same in one text for a condition of the HostedCluster; empty when nothing is held up. */
export function blockedDrainText(drains: readonly BlockedDrain[], most = 20): string {
  const lines = drains
    .slice(0, most)
    .map(({ nodePool, machine, message }) => `NodePool ${nodePool}, Machine ${machine}: ${message}`);
  return [...lines, ...(drains.length > most ? [`... and ${drains.length - most} more`] : [])].join('\n');
}
