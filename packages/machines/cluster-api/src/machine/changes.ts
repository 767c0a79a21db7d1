import { jsonEqual, type UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { bootstrapFacts, infraMachineFacts } from '../external/contract.ts';
import type { Machine } from '../generated/capiv1beta1.ts';
import { wishChanged } from '../upkeep.ts';

/** Conditions that the Machine's own controller writes; health checks and whoever a readiness gate names write others. */
const ownConditions = new Set([
  'Available',
  'BootstrapConfigReady',
  'BootstrapReady',
  'Deleting',
  'DrainingSucceeded',
  'InfrastructureReady',
  'NodeHealthy',
  'NodeReady',
  'Paused',
  'PreDrainDeleteHookSucceeded',
  'PreTerminateDeleteHookSucceeded',
  'Ready',
  'UpToDate',
  'Updating',
  'VolumeDetachSucceeded',
]);

const givenConditions = ({ status }: Machine) =>
  [...(status?.conditions ?? []), ...(status?.v1beta2?.conditions ?? [])].filter(
    ({ type }) => !ownConditions.has(type),
  );

/** Whether a Machine has to be looked at again: a status that its own controller wrote is no news to it. */
export function machineChangeMatters(before: Machine, machine: Machine): boolean {
  return (
    !machine.status || wishChanged(before, machine) || !jsonEqual(givenConditions(before), givenConditions(machine))
  );
}

/** Whether a Machine has to look at a change of its provider's object; finalizers and the like are the provider's own affair. */
export function externalChangeMatters(before: UnstructuredObject, next: UnstructuredObject): boolean {
  const { metadata: a } = before;
  const { metadata: b } = next;
  return (
    a.uid !== b.uid ||
    a.deletionTimestamp !== b.deletionTimestamp ||
    !jsonEqual(a.labels, b.labels) ||
    !jsonEqual(a.ownerReferences, b.ownerReferences) ||
    !jsonEqual(factsOf(before), factsOf(next))
  );
}

const factsOf = (object: UnstructuredObject) => [infraMachineFacts(object), bootstrapFacts(object)];
