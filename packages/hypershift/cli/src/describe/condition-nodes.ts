import type { TreeNode } from './tree.ts';

interface Condition {
  readonly type: string;
  readonly status: string;
  readonly reason?: string;
  readonly message?: string;
}

export const conditionDetail = ({ reason, message }: Pick<Condition, 'reason' | 'message'>) =>
  [reason, message].filter(Boolean).join(': ');

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
      // Unknown means that nobody has looked, or could not yet.
      state: condition.status === 'Unknown' ? 'waiting' : 'bad',
      detail: conditionDetail(condition),
    }));
}
