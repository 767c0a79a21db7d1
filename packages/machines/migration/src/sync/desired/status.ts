import { isJsonObject } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { InfraObject } from '../../conversion/infra-objects.ts';
import { mergedConditions } from '../merged-conditions.ts';

type Conditions = Parameters<typeof mergedConditions>[0];

const conditionsOf = (block: unknown): Conditions => {
  const list = isJsonObject(block) ? block['conditions'] : undefined;
  return Array.isArray(list) ? (list as unknown as Conditions) : undefined;
};

/** The block with its conditions laid over those that are stored; a list that would be empty is left out. */
function withConditions(stored: unknown, converted: object): object {
  const conditions = mergedConditions(conditionsOf(stored), conditionsOf(converted));
  return { ...converted, ...(conditions.length > 0 ? { conditions } : {}) };
}

type ClusterApiObject = capiv1beta2.Machine | capiv1beta2.MachineSet;

/** The status of a Cluster API copy: what was converted, and the conditions that only its own side knows. */
export function clusterApiStatusOver(stored: ClusterApiObject, converted: ClusterApiObject): object {
  const { status = {} } = converted;
  const old = status.deprecated?.v1beta1;
  return {
    ...withConditions(stored.status, status),
    ...(old ? { deprecated: { v1beta1: withConditions(stored.status?.deprecated?.v1beta1, old) } } : {}),
    ...(stored.metadata.generation === undefined ? {} : { observedGeneration: stored.metadata.generation }),
  };
}

/** The status of an InfraMachine that follows the Machine API. */
export function infraStatusOver(stored: InfraObject, { status = {} }: InfraObject): object {
  return withConditions(stored.status, status);
}

/** Fields of a Machine API status that no conversion speaks of: they stay as they are. */
function ownFields(status: mapiv1beta1.MachineStatus & mapiv1beta1.MachineSetStatus = {}): object {
  const { authoritativeAPI, synchronizedAPI, synchronizedGeneration, conditions, lastOperation } = status;
  return { authoritativeAPI, synchronizedAPI, synchronizedGeneration, conditions, lastOperation };
}

/** The status of a Machine API copy of a machine. */
export function machineStatusOver(
  stored: mapiv1beta1.Machine,
  { status = {} }: mapiv1beta1.Machine,
): mapiv1beta1.MachineStatus {
  const told = stored.status?.providerStatus;
  const providerStatus = status.providerStatus ? withConditions(told, status.providerStatus) : told;
  return {
    ...status,
    ...(providerStatus ? { providerStatus: { ...providerStatus } } : {}),
    ...ownFields(stored.status),
  };
}

/** The status of a Machine API copy of a set. */
export function machineSetStatusOver(
  stored: mapiv1beta1.MachineSet,
  { status = {} }: mapiv1beta1.MachineSet,
): mapiv1beta1.MachineSetStatus {
  const { generation } = stored.metadata;
  return {
    ...status,
    ...ownFields(stored.status),
    ...(generation === undefined ? {} : { observedGeneration: generation }),
  };
}
