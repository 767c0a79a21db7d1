import { scaledValue } from '@hypershift-ts/kube-controllers';
import type { MachineDeployment, MachineSet } from '../generated/capiv1beta1.ts';

export const replicasOf = ({ spec }: MachineDeployment | MachineSet): number => spec.replicas ?? 0;
export const existing = ({ status }: MachineSet): number => status?.replicas ?? 0;
export const available = ({ status }: MachineSet): number => status?.availableReplicas ?? 0;
export const sum = <T>(items: readonly T[], of: (item: T) => number): number =>
  items.reduce((total, item) => total + of(item), 0);

/** Oldest first; made in the same second, by name. */
export const olderFirst = ({ metadata: a }: MachineSet, { metadata: b }: MachineSet): number => {
  const [left, right] = [`${a.creationTimestamp} ${a.name}`, `${b.creationTimestamp} ${b.name}`];
  return left < right ? -1 : left > right ? 1 : 0;
};

export const isOnDelete = ({ spec }: MachineDeployment): boolean => spec.strategy?.type === 'OnDelete';

export interface Limits {
  readonly surge: number;
  readonly unavailable: number;
}

/** maxSurge (1 when unset, rounded up) and maxUnavailable (0, rounded down); both zero would never move. */
export function rollingLimits(deployment: MachineDeployment): Limits {
  if (isOnDelete(deployment)) return { surge: 0, unavailable: 0 };
  const { maxSurge = 1, maxUnavailable = 0 } = deployment.spec.strategy?.rollingUpdate ?? {};
  const replicas = replicasOf(deployment);
  const surge = Math.max(scaledValue(maxSurge, replicas, 'up'), 0);
  const unavailable = Math.min(Math.max(scaledValue(maxUnavailable, replicas, 'down'), 0), replicas);
  return surge === 0 && unavailable === 0 ? { surge, unavailable: 1 } : { surge, unavailable };
}
