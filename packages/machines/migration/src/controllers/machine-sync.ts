import type { KubeObject, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { type Controller, controller, hasFinalizer } from '@hypershift-ts/kube-controller';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { machineApiNamespace, syncFinalizer } from '../conversion/names.ts';
import { machineDeletion } from '../sync/deletion/machine.ts';
import { owningSet, type SyncDirection, syncDirection } from '../sync/direction.ts';
import { isOrphaned, type MachineCopies, readMachine } from './machine-copies.ts';
import { copyMachineToClusterApi } from './machine-to-cluster-api.ts';
import { copyMachineToMachineApi } from './machine-to-machine-api.ts';
import { cachedReader } from './reader.ts';
import { reporting } from './report.ts';
import { inMachineApi, type MigrationSettings, type PassScope, passScope } from './scope.ts';
import { arrivals, byName, clusterApiWatch, everyClusterApi, everyMachineApi } from './watches.ts';
import { applyDeletion } from './writes.ts';

/** The machine that an InfraMachine belongs to. */
function owningMachine({ metadata }: KubeObject): readonly ObjectKey[] {
  return (metadata.ownerReferences ?? [])
    .filter(({ kind, apiVersion }) => kind === 'Machine' && apiVersion.startsWith('cluster.x-k8s.io/'))
    .map(({ name }) => inMachineApi(name));
}

/** Machines that may have waited for this set to exist. */
function machinesOfSet(set: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  return everyMachineApi(mapiv1beta1.machines, cache)
    .filter(({ metadata }) =>
      metadata.ownerReferences?.some(({ kind, name }) => kind === 'MachineSet' && name === set.metadata.name),
    )
    .flatMap(byName);
}

/** Machines of Cluster API that are shown in the Machine API once their set is. */
function machinesToShow(set: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  return everyClusterApi(capiv1beta2.machines, cache)
    .filter((machine) => owningSet(machine) === set.metadata.name)
    .flatMap(byName);
}

const everyMachine = (_: KubeObject, cache: InformerCache): readonly ObjectKey[] =>
  everyMachineApi(mapiv1beta1.machines, cache).flatMap(byName);

/** Keeps the copies of machines equal, whichever side has authority. */
export function machineSyncController(settings: MigrationSettings): Controller {
  const { kinds } = settings.platform;
  return controller({
    name: 'MachineSyncController',
    for: { type: mapiv1beta1.machines, namespace: machineApiNamespace },
    watches: [
      clusterApiWatch(capiv1beta2.machines, byName),
      clusterApiWatch(kinds.machine, owningMachine),
      arrivals(clusterApiWatch(capiv1beta2.machinesets, machinesOfSet)),
      arrivals({ ...clusterApiWatch(mapiv1beta1.machinesets, machinesToShow), namespace: machineApiNamespace }),
      arrivals(clusterApiWatch(capiv1beta2.clusters, everyMachine)),
      arrivals(clusterApiWatch(kinds.cluster, everyMachine)),
    ],
    async reconcile({ name }, context) {
      const scope = passScope(settings, context, cachedReader(context.cache));
      const copies = await readMachine(name, scope.reader, settings.platform);
      await synchronizeMachine(copies, await directionOf(copies, scope), scope);
    },
  });
}

async function directionOf(copies: MachineCopies, { reader }: PassScope): Promise<SyncDirection> {
  if (isHalfMade(copies)) return { to: 'ClusterAPI', paused: false };
  const set = !copies.machineApi && copies.clusterApi ? owningSet(copies.clusterApi) : undefined;
  const shown = set === undefined ? undefined : await reader.get(mapiv1beta1.machinesets, inMachineApi(set));
  return syncDirection(copies, () => shown !== undefined);
}

/**
 * A machine was to be made for Cluster API from the start, and whoever did so was cut off before its InfraMachine: the
 * copy is held by us and nothing was ever copied back from it.
 */
function isHalfMade({ machineApi, clusterApi, infra }: MachineCopies): boolean {
  return (
    machineApi?.status?.authoritativeAPI === 'ClusterAPI' &&
    machineApi.status.synchronizedAPI === undefined &&
    infra === undefined &&
    clusterApi !== undefined &&
    hasFinalizer(clusterApi, syncFinalizer)
  );
}

/** One pass in one direction: deletions first, then the copy. */
async function synchronizeMachine(copies: MachineCopies, direction: SyncDirection, scope: PassScope): Promise<void> {
  const { machineApi, clusterApi } = copies;
  // What only Cluster API knows is let go of, wherever its copy has gone.
  if (!machineApi && clusterApi?.metadata.deletionTimestamp) {
    const step = machineDeletion(copies, 'ClusterAPI');
    if (step) await applyDeletion(step, scope);
    return;
  }
  if (direction.to === 'nowhere') return;
  const authority = machineApi?.status?.authoritativeAPI === 'MachineAPI' ? 'MachineAPI' : 'ClusterAPI';
  await reporting(machineApi, clusterApi, scope, async () => {
    const orphaned = await isOrphaned(copies, scope);
    const step = machineDeletion({ ...copies, isOrphaned: orphaned }, authority);
    if (step) {
      await applyDeletion(step, scope);
      return undefined;
    }
    if (direction.to === 'MachineAPI') return clusterApi && copyMachineToMachineApi({ ...copies, clusterApi }, scope);
    return machineApi && copyMachineToClusterApi({ ...copies, machineApi }, direction, scope);
  });
}
