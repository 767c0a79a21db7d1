import type { MachineDeployment, MachineSet } from '../generated/capiv1beta1.ts';
import { annotations } from '../keys.ts';
import { olderFirst, replicasOf } from './limits.ts';
import { isRolledOut } from './template-equality.ts';

/** The set of the current template: among several the largest, among equals the oldest. */
export function findNewSet(
  deployment: MachineDeployment,
  sets: readonly MachineSet[],
  nowMs: number,
): MachineSet | undefined {
  return sets
    .filter((set) => !set.metadata.deletionTimestamp && isRolledOut(deployment, set, nowMs))
    .sort((a, b) => replicasOf(b) - replicasOf(a) || olderFirst(a, b))[0];
}

/** Machines of the set are replaced by those of a newer one. */
export function isOutdated(set: MachineSet, deployment: MachineDeployment): boolean {
  return revisionOf(set) < revisionOf(deployment);
}

export const revisionOf = ({ metadata }: MachineSet | MachineDeployment): number =>
  Number.parseInt(metadata.annotations?.[annotations.revision] ?? '0', 10) || 0;

export interface Revision {
  readonly revision: string;
  readonly revisionHistory: string | undefined;
}

/** The revision of the set in use: one more than all others, which also moves on when an old set is used again. */
export function nextRevision(newSet: MachineSet | undefined, old: readonly MachineSet[]): Revision {
  const highest = old.reduce((max, set) => Math.max(max, revisionOf(set)), 0);
  const current = newSet ? revisionOf(newSet) : 0;
  const history = newSet?.metadata.annotations?.[annotations.revisionHistory];
  if (current > highest) return { revision: String(current), revisionHistory: history };
  const past = current === 0 ? history : [...(history ? [history] : []), String(current)].join(',');
  return { revision: String(highest + 1), revisionHistory: past };
}
