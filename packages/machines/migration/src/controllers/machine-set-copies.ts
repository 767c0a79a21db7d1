import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { machineApi as machineApiNames } from '../conversion/names.ts';
import type { Reader } from './reader.ts';
import { inClusterApi, inMachineApi } from './scope.ts';

/** A set in both APIs, as far as it is there. */
export interface MachineSetCopies {
  readonly machineApi?: mapiv1beta1.MachineSet | undefined;
  readonly clusterApi?: capiv1beta2.MachineSet | undefined;
}

export async function readMachineSet(name: string, reader: Reader): Promise<MachineSetCopies> {
  const [machineApi, clusterApi] = await Promise.all([
    reader.get(mapiv1beta1.machinesets, inMachineApi(name)),
    reader.get(capiv1beta2.machinesets, inClusterApi(name)),
  ]);
  return { machineApi, clusterApi };
}

/** Selects the templates that were made for a set; those that users made carry no such label. */
export const templatesOf = (set: string): string => `${machineApiNames.labels.machineSet}=${set}`;
