import type { MachineDeployment, MachineSet } from '../generated/capiv1beta1.ts';
import { annotations } from '../keys.ts';
import { olderFirst, replicasOf, rollingLimits, sum } from './limits.ts';
import type { Plan } from './rolling-update.ts';

/** New sizes for a paused deployment that was scaled: every active set keeps its share. */
export function proportionalPlan(deployment: MachineDeployment, sets: readonly MachineSet[]): Plan {
  const plan = new Map<MachineSet, number>();
  const wanted = replicasOf(deployment);
  const active = sets.filter((set) => replicasOf(set) > 0);
  const only = active.length > 1 ? undefined : (active[0] ?? [...sets].sort(olderFirst).at(-1));
  if (only) return replicasOf(only) === wanted ? plan : plan.set(only, wanted);
  const most = wanted > 0 ? wanted + rollingLimits(deployment).surge : 0;
  const toAdd = most - sum(active, replicasOf);
  if (toAdd === 0 || !active.some((set) => isSizedForOther(set, wanted))) return plan;
  const largestFirst = [...active].sort((a, b) => replicasOf(b) - replicasOf(a) || olderFirst(b, a));
  let added = 0;
  for (const set of largestFirst) {
    const left = toAdd - added;
    const before = Number(set.metadata.annotations?.[annotations.maxReplicas]) || most;
    const share = Math.round((replicasOf(set) * most) / before) - replicasOf(set);
    const change = toAdd > 0 ? Math.min(Math.max(share, 0), left) : Math.max(Math.min(share, 0), left);
    added += change;
    plan.set(set, replicasOf(set) + change);
  }
  // What rounding left over goes to the largest.
  const [largest] = largestFirst;
  if (largest) plan.set(largest, Math.max((plan.get(largest) ?? 0) + toAdd - added, 0));
  return plan;
}

function isSizedForOther({ metadata }: MachineSet, wanted: number): boolean {
  return Number(metadata.annotations?.[annotations.desiredReplicas]) !== wanted;
}
