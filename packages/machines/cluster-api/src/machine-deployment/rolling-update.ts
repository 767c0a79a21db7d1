import type { MachineDeployment, MachineSet } from '../generated/capiv1beta1.ts';
import { available, existing, olderFirst, replicasOf, rollingLimits, sum } from './limits.ts';

/** The size that each set should have next; sets not in it stay as they are. */
export type Plan = ReadonlyMap<MachineSet, number>;

/** The next step of a rolling update: as far as maxSurge and maxUnavailable allow at this moment, and no further. */
export function rollingPlan(deployment: MachineDeployment, newSet: MachineSet, old: readonly MachineSet[]): Plan {
  const oldestFirst = [...old].sort(olderFirst);
  const plan = new Map<MachineSet, number>();
  const next = newSetSize(deployment, newSet, oldestFirst);
  if (next !== replicasOf(newSet)) plan.set(newSet, next);
  shrinkOld(deployment, newSet, oldestFirst, plan);
  if (plan.size === 0) breakDeadlock(newSet, oldestFirst, plan);
  return plan;
}

/** Machines that a set has or is about to have. */
const claimed = (set: MachineSet) => Math.max(replicasOf(set), existing(set));

function newSetSize(deployment: MachineDeployment, newSet: MachineSet, old: readonly MachineSet[]): number {
  const wanted = replicasOf(deployment);
  const current = replicasOf(newSet);
  if (current >= wanted) return wanted;
  const room = wanted + rollingLimits(deployment).surge - sum([newSet, ...old], claimed);
  return room <= 0 ? current : current + Math.min(room, wanted - current);
}

function shrinkOld(
  deployment: MachineDeployment,
  newSet: MachineSet,
  old: readonly MachineSet[],
  plan: Map<MachineSet, number>,
): void {
  const all = [newSet, ...old];
  const intent = (set: MachineSet) => plan.get(set) ?? replicasOf(set);
  const minAvailable = Math.max(replicasOf(deployment) - rollingLimits(deployment).unavailable, 0);
  const leaving = sum(all, (set) => Math.max(existing(set) - Math.min(replicasOf(set), intent(set)), 0));
  const newUnavailable = Math.max(replicasOf(newSet) - available(newSet), 0);
  let budget = sum(all, replicasOf) - leaving - minAvailable - newUnavailable;
  let totalAvailable = sum(all, available);

  const shrink = (set: MachineSet, most: number) => {
    let count = Math.min(most, budget, intent(set));
    if (count <= 0) return;
    if (available(set) > 0) {
      // The set may choose to delete an available machine: count every existing one as if it did.
      const unborn = Math.max(intent(set) - existing(set), 0);
      const spare = Math.max(totalAvailable - minAvailable, 0);
      count = Math.min(count, unborn + spare);
      totalAvailable -= Math.max(count - unborn, 0);
    }
    if (count <= 0) return;
    budget -= count;
    plan.set(set, intent(set) - count);
  };

  // Machines that serve nobody go first: they free room without costing availability.
  for (const set of old) shrink(set, Math.max(intent(set) - available(set), 0));
  for (const set of old) shrink(set, intent(set));
}

/**
 * Old machines that never become available can hold up a rollout whose new machines are all well. Then one of them is
 * given up, although that may go below what maxUnavailable promises by one.
 */
function breakDeadlock(newSet: MachineSet, old: readonly MachineSet[], plan: Map<MachineSet, number>): void {
  const settled = [newSet, ...old].every((set) => replicasOf(set) === existing(set));
  if (!settled || available(newSet) !== replicasOf(newSet)) return;
  const stuck = old.find((set) => replicasOf(set) > available(set));
  if (stuck) plan.set(stuck, replicasOf(stuck) - 1);
}
