import type { MachineDeployment, MachineSet } from '../generated/capiv1beta1.ts';
import { annotations } from '../keys.ts';
import { existing, olderFirst, replicasOf, sum } from './limits.ts';
import type { Plan } from './rolling-update.ts';

/**
 * OnDelete: an old machine stays until somebody deletes it, and its replacement comes from the new set. A set that may
 * no longer create machines shrinks to those it still has.
 */
export function onDeletePlan(deployment: MachineDeployment, newSet: MachineSet, old: readonly MachineSet[]): Plan {
  const plan = new Map<MachineSet, number>();
  const size = (set: MachineSet) => plan.get(set) ?? replicasOf(set);
  const wanted = replicasOf(deployment);
  const oldestFirst = [...old].sort(olderFirst);
  for (const set of oldestFirst) {
    const barren = set.metadata.annotations?.[annotations.disableMachineCreate] === 'true';
    if (barren && existing(set) < replicasOf(set)) plan.set(set, existing(set));
  }
  let surplus = sum([newSet, ...oldestFirst], size) - wanted;
  for (const set of [...oldestFirst, newSet]) {
    const fewer = Math.min(size(set), Math.max(surplus, 0));
    if (fewer === 0) continue;
    plan.set(set, size(set) - fewer);
    surplus -= fewer;
  }
  const total =
    sum(oldestFirst, (set) => Math.max(size(set), existing(set))) + Math.max(size(newSet), existing(newSet));
  if (total < wanted) plan.set(newSet, size(newSet) + wanted - total);
  return plan;
}
