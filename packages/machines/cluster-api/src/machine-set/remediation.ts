import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext } from '@hypershift-ts/kube-controller';
import { deleteIfPresent } from '@hypershift-ts/kube-controller';
import { scaledValue } from '@hypershift-ts/kube-controllers';
import { falseState, withStates } from '../conditions/v1beta1.ts';
import { newState, withNewStates } from '../conditions/v1beta2.ts';
import * as capi from '../generated/capiv1beta1.ts';
import { isRolledOut } from '../machine-deployment/template-equality.ts';
import { keyOfObject, writeStatus } from '../upkeep.ts';

type Machine = capi.Machine;

/** A health check found the machine unhealthy and leaves it to its owner. */
const awaitsRemediation = ({ metadata, status }: Machine) =>
  !metadata.deletionTimestamp &&
  findCondition(status?.conditions, 'HealthCheckSucceeded')?.status === 'False' &&
  findCondition(status?.conditions, 'OwnerRemediated')?.status === 'False';

const isBeingRemediated = (machine: Machine) =>
  machine.metadata.deletionTimestamp !== undefined &&
  findCondition(machine.status?.conditions, 'OwnerRemediated')?.status === 'False';

/** How many Machines a set may have in remediation at once; all of them unless its deployment says otherwise. */
function maxInFlight(set: capi.MachineSet, deployment: capi.MachineDeployment | undefined): number {
  const limit = deployment?.spec.strategy?.remediation?.maxInFlight;
  if (limit === undefined) return Number.POSITIVE_INFINITY;
  return Math.max(scaledValue(limit, set.spec.replicas ?? 0, 'up'), 0);
}

/** Deletes the Machines that a health check marked; a set of an old revision leaves that to the rollout. */
export async function remediate(
  set: capi.MachineSet,
  machines: readonly Machine[],
  deployment: capi.MachineDeployment | undefined,
  context: ReconcileContext,
): Promise<readonly Machine[]> {
  const marked = machines.filter(awaitsRemediation);
  const { client, clock, events } = context;
  if (marked.length === 0 || (deployment && !isRolledOut(deployment, set, clock.now()))) return machines;
  const room = maxInFlight(set, deployment) - machines.filter(isBeingRemediated).length;
  const told = new Map<Machine, Machine>();
  for (const machine of [...marked].sort(oldestFirst).slice(0, Math.max(room, 0))) {
    const state = falseState('OwnerRemediated', 'RemediationInProgress', 'Info', 'the Machine is being replaced');
    const conditions = withStates(machine.status?.conditions, [state], clock.now());
    const v1beta2 = {
      ...machine.status?.v1beta2,
      conditions: withNewStates(
        machine.status?.v1beta2?.conditions,
        [newState('OwnerRemediated', 'False', 'MachineDeleting', 'Machine is deleting')],
        machine.metadata.generation,
        clock.now(),
      ),
    };
    told.set(machine, await writeStatus(client, capi.machines, machine, { ...machine.status, conditions, v1beta2 }));
    await deleteIfPresent(client, capi.machines, keyOfObject(machine));
    events.normal(set, 'SuccessfulDelete', `Deleted Machine "${machine.metadata.name}" to remediate it`);
  }
  return machines.map((machine) => told.get(machine) ?? machine);
}

const oldestFirst = (a: Machine, b: Machine) =>
  (a.metadata.creationTimestamp ?? '') < (b.metadata.creationTimestamp ?? '') ? -1 : 1;
