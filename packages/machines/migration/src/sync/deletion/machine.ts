import type { KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { clusterApi as newNames, machineApi as oldNames, syncFinalizer } from '../../conversion/names.ts';
import type { Authority } from '../../handover/objects.ts';
import { type DeletionStep, deleteMissing, isDeleting, isHeldBy, release, waitFor } from './step.ts';

export interface MachinePair {
  readonly machineApi?: mapiv1beta1.Machine | undefined;
  readonly clusterApi?: KubeObject | undefined;
  readonly infra?: KubeObject | undefined;
  /**
   * The Machine API set of the machine is gone or going while its Cluster API set lives on. Then the machine goes from
   * the Machine API only because it was collected with its set: the node must stay.
   */
  readonly isOrphaned?: boolean;
}

const isSync = (finalizer: string) => finalizer === syncFinalizer;
const isProvider = (finalizer: string) => finalizer.endsWith('.cluster.x-k8s.io');

/** What the deletion of either copy of a machine asks for; undefined when neither is being deleted. */
export function machineDeletion(pair: MachinePair, authority: Authority): DeletionStep | undefined {
  if (!isDeleting(pair.machineApi) && !isDeleting(pair.clusterApi)) return undefined;
  return authority === 'MachineAPI' ? underMachineApi(pair) : underClusterApi(pair);
}

/** The Machine API takes the instance away; the copies wait for it, and then go without their own controllers. */
function underMachineApi({ machineApi, clusterApi, infra }: MachinePair): DeletionStep {
  const deleting = deleteMissing(machineApi) ?? deleteMissing(clusterApi, infra);
  if (deleting) return deleting;
  if (isHeldBy(machineApi, oldNames.finalizer)) return waitFor('the Machine API controller to take the instance away');
  return (
    release(isProvider, infra) ??
    release((finalizer) => finalizer === newNames.finalizer, clusterApi) ??
    release(isSync, clusterApi, infra, machineApi) ??
    waitFor('the last objects to go')
  );
}

/** Cluster API takes the instance away; the copy in the Machine API goes last, without its own controller. */
function underClusterApi({ machineApi, clusterApi, infra, isOrphaned }: MachinePair): DeletionStep {
  // Its controller is paused, so nobody else would ever let go of a copy whose original is gone.
  const letGo = () => release((finalizer) => isSync(finalizer) || finalizer === oldNames.finalizer, machineApi);
  if (!clusterApi) return letGo() ?? waitFor('the last objects to go');
  if (!isDeleting(clusterApi)) {
    if (isOrphaned)
      return release(isSync, clusterApi, infra) ?? letGo() ?? waitFor('the machine to leave the Machine API');
    return { kind: 'delete', objects: [clusterApi] };
  }
  if (!machineApi) return release(isSync, clusterApi, infra) ?? waitFor('Cluster API to take the instance away');
  const deleting = deleteMissing(machineApi);
  if (deleting) return deleting;
  if (infra?.metadata.finalizers?.some(isProvider)) return waitFor('the provider to take the instance away');
  const infraReleased = release(isSync, infra);
  if (infraReleased) return infraReleased;
  if (isHeldBy(clusterApi, newNames.finalizer)) return waitFor('the Cluster API controller to let go of the machine');
  return (
    release((finalizer) => finalizer === oldNames.finalizer, machineApi) ??
    release(isSync, machineApi, clusterApi) ??
    waitFor('the last objects to go')
  );
}
