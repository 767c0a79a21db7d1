import { hasFinalizer } from '@hypershift-ts/kube-controller';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { InfraObject } from '../conversion/infra-objects.ts';
import { syncFinalizer } from '../conversion/names.ts';
import type { PlatformConversion } from '../conversion/platform-conversion.ts';
import { owningSet } from '../sync/direction.ts';
import { liveReader, type Reader } from './reader.ts';
import { inClusterApi, inMachineApi, type PassScope } from './scope.ts';

/** A machine in both APIs, as far as it is there. */
export interface MachineCopies {
  readonly machineApi?: mapiv1beta1.Machine | undefined;
  readonly clusterApi?: capiv1beta2.Machine | undefined;
  readonly infra?: InfraObject | undefined;
}

export async function readMachine(name: string, reader: Reader, { kinds }: PlatformConversion): Promise<MachineCopies> {
  const [machineApi, clusterApi] = await Promise.all([
    reader.get(mapiv1beta1.machines, inMachineApi(name)),
    reader.get(capiv1beta2.machines, inClusterApi(name)),
  ]);
  const infra = await reader.get(kinds.machine, inClusterApi(clusterApi?.spec.infrastructureRef.name || name));
  // Without a machine that refers to it, only what we hold is known to belong here.
  const belongs = infra && (clusterApi !== undefined || hasFinalizer(infra, syncFinalizer));
  return { machineApi, clusterApi, infra: belongs ? infra : undefined };
}

/**
 * Whether a machine goes from the Machine API only because its set went from there, while the set of Cluster API that
 * it belongs to lives on.
 */
export async function isOrphaned(
  { machineApi, clusterApi }: MachineCopies,
  { client, signal }: Pick<PassScope, 'client' | 'signal'>,
): Promise<boolean> {
  const set = clusterApi && owningSet(clusterApi);
  if (!machineApi?.metadata.deletionTimestamp || set === undefined) return false;
  // A watch on sets may be behind the one on machines, and a node would be lost for it.
  const reader = liveReader(client, signal);
  const [old, current] = await Promise.all([
    reader.get(mapiv1beta1.machinesets, inMachineApi(set)),
    reader.get(capiv1beta2.machinesets, inClusterApi(set)),
  ]);
  const isAlive = current !== undefined && current.metadata.deletionTimestamp === undefined;
  return isAlive && (old === undefined || old.metadata.deletionTimestamp !== undefined);
}
