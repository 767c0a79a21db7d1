import {
  compileLabelSelector,
  type KubeObject,
  type ObjectKey,
  type ResourceType,
} from '@hypershift-ts/kube-apimachinery';
import type { InformerCache } from '@hypershift-ts/kube-client';
import { type Controller, controller } from '@hypershift-ts/kube-controller';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { InfraTemplate } from '../conversion/infra-objects.ts';
import { machineApi as machineApiNames, machineApiNamespace } from '../conversion/names.ts';
import { machineSetDeletion } from '../sync/deletion/machine-set.ts';
import { syncDirection } from '../sync/direction.ts';
import { type MachineSetCopies, readMachineSet } from './machine-set-copies.ts';
import { copyMachineSetToClusterApi, deleteTemplates } from './machine-set-to-cluster-api.ts';
import { copyMachineSetToMachineApi } from './machine-set-to-machine-api.ts';
import { cachedReader } from './reader.ts';
import { reporting } from './report.ts';
import { inMachineApi, type MigrationSettings, type PassScope, passScope } from './scope.ts';
import { arrivals, byName, clusterApiWatch, everyClusterApi, everyMachineApi } from './watches.ts';
import { applyDeletion } from './writes.ts';

const everySet = (_: KubeObject, cache: InformerCache): readonly ObjectKey[] =>
  everyMachineApi(mapiv1beta1.machinesets, cache).flatMap(byName);

/** The sets that a template was made for, or whose machines are made from it. */
function setsOfTemplate({ metadata }: KubeObject, cache: InformerCache): readonly ObjectKey[] {
  const madeFor = metadata.labels?.[machineApiNames.labels.machineSet];
  const using = everyClusterApi(capiv1beta2.machinesets, cache)
    .filter(({ spec }) => spec.template.spec.infrastructureRef.name === metadata.name)
    .map((set) => set.metadata.name ?? '');
  return [...new Set([...(madeFor ? [madeFor] : []), ...using])].map(inMachineApi);
}

/** Keeps the copies of sets equal, whichever side has authority. */
export function machineSetSyncController(settings: MigrationSettings): Controller {
  const { kinds } = settings.platform;
  return controller({
    name: 'MachineSetSyncController',
    for: { type: mapiv1beta1.machinesets, namespace: machineApiNamespace },
    watches: [
      clusterApiWatch(capiv1beta2.machinesets, byName),
      clusterApiWatch(kinds.template, setsOfTemplate),
      arrivals(clusterApiWatch(capiv1beta2.clusters, everySet)),
      arrivals(clusterApiWatch(kinds.cluster, everySet)),
    ],
    async reconcile({ name }, context) {
      const scope = passScope(settings, context, cachedReader(context.cache));
      await synchronizeMachineSet(await readMachineSet(name, scope.reader), context.cache, scope);
    },
  });
}

/** The templates that were made for a set. */
export function labelledTemplates(
  set: string,
  cache: InformerCache,
  { settings }: PassScope,
): readonly InfraTemplate[] {
  const selector = compileLabelSelector({ matchLabels: { [machineApiNames.labels.machineSet]: set } });
  const templates = everyClusterApi(settings.platform.kinds.template as ResourceType<InfraTemplate>, cache);
  return templates.filter(({ metadata }) => selector.matches(metadata.labels));
}

async function synchronizeMachineSet(copies: MachineSetCopies, cache: InformerCache, scope: PassScope): Promise<void> {
  const { machineApi, clusterApi } = copies;
  const name = (machineApi ?? clusterApi)?.metadata.name ?? '';
  const templates = labelledTemplates(name, cache, scope);
  const pair = { ...copies, hasTemplates: templates.length > 0 };
  // What only Cluster API knows is let go of, wherever its copy has gone.
  if (!machineApi && clusterApi?.metadata.deletionTimestamp) {
    const step = machineSetDeletion(pair, 'ClusterAPI');
    if (step) await applyDeletion(step, scope, () => deleteTemplates(name, scope));
    return;
  }
  const direction = syncDirection(copies, () => false);
  if (direction.to === 'nowhere') return;
  const authority = machineApi?.status?.authoritativeAPI === 'MachineAPI' ? 'MachineAPI' : 'ClusterAPI';
  await reporting(machineApi, clusterApi, scope, async () => {
    const step = machineSetDeletion(pair, authority);
    if (step) {
      await applyDeletion(step, scope, () => deleteTemplates(name, scope));
      return undefined;
    }
    if (!machineApi) return undefined;
    if (direction.to === 'ClusterAPI')
      return copyMachineSetToClusterApi({ machineApi, clusterApi }, direction, templates, scope);
    return clusterApi && copyMachineSetToMachineApi({ machineApi, clusterApi }, scope);
  });
}
