import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { syncFinalizer } from '../../conversion/names.ts';
import type { Authority } from '../../handover/objects.ts';
import { type DeletionStep, deleteMissing, isDeleting, isHeldBy, release, waitFor } from './step.ts';

export interface MachineSetPair {
  readonly machineApi?: mapiv1beta1.MachineSet | undefined;
  readonly clusterApi?: KubeObject | undefined;
  /** Whether templates that were made for the set are left. */
  readonly hasTemplates: boolean;
}

const setFinalizer = 'cluster.x-k8s.io/machineset';
const isSync = (finalizer: string) => finalizer === syncFinalizer;
const ownFinalizers = (finalizer: string) => isSync(finalizer) || finalizer === setFinalizer;

/** What the deletion of either copy of a set asks for; undefined when neither is being deleted. */
export function machineSetDeletion(pair: MachineSetPair, authority: Authority): DeletionStep | undefined {
  if (!isDeleting(pair.machineApi) && !isDeleting(pair.clusterApi)) return undefined;
  return authority === 'MachineAPI' ? underMachineApi(pair) : underClusterApi(pair);
}

function underMachineApi({ machineApi, clusterApi, hasTemplates }: MachineSetPair): DeletionStep {
  const deleting = (machineApi && deleteMissing(machineApi)) ?? deleteMissing(clusterApi);
  if (deleting) return deleting;
  if (hasTemplates) return { kind: 'delete-templates' };
  // The set is paused, so its own controller will not let go of it.
  if (clusterApi) return release(ownFinalizers, clusterApi) ?? waitFor('the set to leave Cluster API');
  return release(isSync, machineApi) ?? waitFor('the last objects to go');
}

function underClusterApi({ machineApi, clusterApi, hasTemplates }: MachineSetPair): DeletionStep {
  // A set without authority that goes takes nothing with it: the other one keeps its machines.
  if (!isDeleting(clusterApi))
    return release(isSync, clusterApi) ?? release(isSync, machineApi) ?? waitFor('the set to leave the Machine API');
  const deleting = deleteMissing(machineApi);
  if (deleting) return deleting;
  if (isHeldBy(clusterApi, setFinalizer)) return waitFor('the Cluster API controller to let go of the set');
  if (hasTemplates) return { kind: 'delete-templates' };
  return release(isSync, clusterApi) ?? release(isSync, machineApi) ?? waitFor('the last objects to go');
}
