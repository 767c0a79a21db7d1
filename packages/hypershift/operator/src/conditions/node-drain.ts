import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { blockedDrains, blockedDrainText } from '../nodepool/index.ts';
import type { Verdict } from './verdict.ts';

/** A drain goes through several looks; only pods that refuse to go need somebody. */
const refused = /(cannot|failed to) evict pod/;

/**
 * Whether machines cannot go because pods of theirs cannot be evicted. It is there only while that is so: upstream has
 * no such condition, and nobody who counts conditions should miss one.
 */
export function nodeDrainBlocked(machines: readonly capiv1beta1.Machine[]): readonly Verdict[] {
  const held = blockedDrains(machines).filter(({ message }) => refused.test(message));
  if (held.length === 0) return [];
  const message = `${blockedDrainText(held)}\nAdd replicas of these pods, relax their PodDisruptionBudgets or delete the pods; or let spec.nodeDrainTimeout of the NodePool end the wait`;
  return [{ type: 'NodeDrainBlocked', status: 'True', reason: 'DrainBlocked', message }];
}
