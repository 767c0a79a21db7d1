/** Admission policies: one copy of a machine can be edited at a time, and authority changes hands only when it is safe. */
import type { PlatformConversion } from '../conversion/platform-conversion.ts';
import { clusterApiCreation, machineApiMachineCreation, machineApiMachineSetCreation } from './creation.ts';
import { infraClusterProtection } from './infra-cluster.ts';
import { copyLock, handoverLock } from './locks.ts';
import type { AdmissionPolicy } from './policy.ts';
import { noTransitionWhileUpdating, readyForTransition, warningWhenNotSynchronized } from './transitions.ts';
import { unsupportedByMachineApi } from './unsupported-fields.ts';

export type { AdmissionPolicy } from './policy.ts';

/** Those of upstream that hold on every platform. */
const everywhere: readonly AdmissionPolicy[] = [
  copyLock('machineApi', 'Machine'),
  copyLock('machineApi', 'MachineSet'),
  copyLock('clusterApi', 'Machine'),
  copyLock('clusterApi', 'MachineSet'),
  unsupportedByMachineApi,
  machineApiMachineCreation,
  machineApiMachineSetCreation,
  clusterApiCreation('Machine'),
  clusterApiCreation('MachineSet'),
  noTransitionWhileUpdating,
  warningWhenNotSynchronized('Machine'),
  readyForTransition,
];

/** Ours, for what upstream leaves open. */
const additional: readonly AdmissionPolicy[] = [
  warningWhenNotSynchronized('MachineSet'),
  handoverLock('machineApi', 'Machine'),
  handoverLock('machineApi', 'MachineSet'),
  handoverLock('clusterApi', 'Machine'),
  handoverLock('clusterApi', 'MachineSet'),
];

/** The policies that hold on every platform. */
export function commonPolicies(): readonly AdmissionPolicy[] {
  return [...everywhere, ...additional];
}

/** The policies for what is special about a platform. */
export function platformPolicies({ policies, kinds }: PlatformConversion): readonly AdmissionPolicy[] {
  return [...policies, infraClusterProtection(kinds.cluster)];
}
