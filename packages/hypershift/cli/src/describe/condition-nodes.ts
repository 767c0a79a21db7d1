import type { NodeState, TreeNode } from './tree.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export const conditionDetail = ({ reason, message }: Pick<Condition, 'reason' | 'message'>) =>
  [reason, message].filter(Boolean).join(': ');

/** A change under way is no fault, and neither is what new machines have not reached yet; machines that failed say so themselves. */
const underWay = /^(Updating|.*Progressing$)/;
const reachedByMachines = new Set(['AllMachinesReady', 'AllNodesHealthy', 'ReachedIgnitionEndpoint', 'Ready']);

function stateOf({ type, status }: Condition): NodeState {
  // Unknown means that nobody has looked, or could not yet.
  return status === 'Unknown' || underWay.test(type) || reachedByMachines.has(type) ? 'waiting' : 'bad';
}

/** Conditions that are not as they are on a healthy object; those that say nothing about health are left out. */
export function conditionNodes(
  conditions: readonly Condition[],
  healthy: ReadonlyMap<string, string>,
): readonly TreeNode[] {
  return conditions
    .filter(({ type, status }) => healthy.has(type) && healthy.get(type) !== status)
    .map((condition) => ({
      kind: 'Condition',
      name: `${condition.type}=${condition.status}`,
      state: stateOf(condition),
      detail: conditionDetail(condition),
    }));
}
