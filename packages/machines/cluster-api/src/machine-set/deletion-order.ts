import { findCondition, isConditionFalse } from '@hypershift-ts/kube-apimachinery';
import type { Machine, MachineSetSpec } from '../generated/capiv1beta1.ts';
import { annotations, hasAnnotation } from '../keys.ts';

export type DeletePolicy = NonNullable<MachineSetSpec['deletePolicy']>;

const must = 100;
const should = 80;
const better = 50;
const could = 20;
/** The age at which a machine has gone 63 % of the way from new to old. */
const decayMs = 864_000_000;

/** Who of a set's Machines should go first: the higher, the sooner. */
function deletionPriority(machine: Machine, policy: DeletePolicy, nowMs: number): number {
  if (machine.metadata.deletionTimestamp) return must;
  if (hasAnnotation(machine, annotations.deleteMachine)) return should;
  if (isUnhealthy(machine)) return better;
  if (policy === 'Random') return could;
  const age = nowMs - Date.parse(machine.metadata.creationTimestamp ?? '');
  const old = better * (1 - Math.exp(-Math.max(age, 0) / decayMs));
  return policy === 'Oldest' ? old : better - old;
}

function isUnhealthy({ status }: Machine): boolean {
  return (
    !status?.nodeRef ||
    status.failureReason !== undefined ||
    status.failureMessage !== undefined ||
    findCondition(status.conditions, 'NodeHealthy')?.status === 'False' ||
    isConditionFalse(status.conditions, 'HealthCheckSucceeded')
  );
}

/** The `count` Machines to delete first; equal ones in order of their names. */
export function machinesToDelete(
  machines: readonly Machine[],
  count: number,
  policy: DeletePolicy,
  nowMs: number,
): readonly Machine[] {
  if (count <= 0) return [];
  if (count >= machines.length) return machines;
  const ranked = machines.map((machine) => ({ machine, priority: deletionPriority(machine, policy, nowMs) }));
  ranked.sort((a, b) => b.priority - a.priority || byName(a.machine, b.machine));
  return ranked.slice(0, count).map(({ machine }) => machine);
}

const byName = (a: Machine, b: Machine) => ((a.metadata.name ?? '') < (b.metadata.name ?? '') ? -1 : 1);
