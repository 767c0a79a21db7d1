import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { ClusterFacts } from '../conversion/cluster-facts.ts';
import type { InfraTemplate } from '../conversion/infra-objects.ts';
import { machineSetToMachineApi } from '../conversion/machine-set/to-machine-api.ts';
import { machineApiSetOwner } from '../conversion/owner-references.ts';
import { hasChanges } from '../differ/changes.ts';
import { machineApiMachineSetChanges } from '../differ/index.ts';
import { desiredMachineApiMachineSet } from '../sync/desired/machine-set.ts';
import { machineSetStatusOver } from '../sync/desired/status.ts';
import { requireInfraCluster } from './infra-resources.ts';
import { resolveOwners } from './owners.ts';
import type { Told } from './report.ts';
import { clusterFacts, inClusterApi, type PassScope } from './scope.ts';
import { failingWith, listed, SyncError } from './sync-error.ts';
import { ensureSyncFinalizers, patchStatus } from './writes.ts';

const unconvertible = 'FailedToConvertCAPIMachineSetToMAPI';

interface Copying {
  readonly machineApi: mapiv1beta1.MachineSet;
  readonly clusterApi: capiv1beta2.MachineSet;
}

/** Makes the Machine API copy of a set say what the original says. */
export async function copyMachineSetToMachineApi(
  { machineApi, clusterApi }: Copying,
  scope: PassScope,
): Promise<Told | undefined> {
  if (await ensureSyncFinalizers(scope, [machineApi, clusterApi])) return undefined;
  await resolveOwners(machineApiSetOwner(clusterApi), 'MachineAPI', unconvertible, scope);
  const facts = await clusterFacts(scope);
  const { metadata } = clusterApi;
  requireInfraCluster({ metadata, spec: { ...clusterApi.spec.template.spec, ...clusterApi.spec } }, facts, scope);
  const template = await readTemplate(clusterApi, scope);
  const converted = convert({ machineApi, clusterApi }, template, facts, scope);
  const stored = await store(machineApi, converted, scope);
  // Counts belong to a spec: they are copied once its own controller has seen that spec.
  const isCurrent = clusterApi.status?.observedGeneration === metadata.generation;
  const about = isCurrent
    ? await failingWith('FailedToUpdateMAPIMachineSet', 'failed to update Machine API machine set status', () =>
        patchStatus(scope.client, mapiv1beta1.machinesets, stored, machineSetStatusOver(stored, converted)),
      )
    : stored;
  return { about, outcome: { kind: 'synchronized', source: 'ClusterAPI', generation: metadata.generation ?? 0 } };
}

async function readTemplate({ spec }: capiv1beta2.MachineSet, { reader, settings }: PassScope): Promise<InfraTemplate> {
  const { name } = spec.template.spec.infrastructureRef;
  const type = settings.platform.kinds.template;
  const template = (await reader.get(type, inClusterApi(name))) as InfraTemplate | undefined;
  if (template) return template;
  throw new SyncError(
    'FailedToGetCAPIInfraResources',
    `failed to get Cluster API infra resources: ${type.kind} ${name} does not exist`,
  );
}

function convert(
  { machineApi, clusterApi: machineSet }: Copying,
  template: InfraTemplate,
  facts: ClusterFacts,
  { settings, events }: PassScope,
): mapiv1beta1.MachineSet {
  const { value, errors, warnings } = machineSetToMachineApi({ machineSet, template }, settings.platform, facts);
  if (errors.length > 0)
    throw new SyncError(
      unconvertible,
      `failed to convert Cluster API machine set to Machine API machine set: ${listed(errors)}`,
    );
  // Said once for each generation, not at every pass.
  if (machineApi.status?.synchronizedGeneration !== machineSet.metadata.generation)
    for (const { field, message } of warnings) events.warning(machineSet, 'ConversionWarning', `${field}: ${message}`);
  return value;
}

async function store(
  existing: mapiv1beta1.MachineSet,
  converted: mapiv1beta1.MachineSet,
  { client, settings }: PassScope,
): Promise<mapiv1beta1.MachineSet> {
  const { status: _, ...desired } = desiredMachineApiMachineSet(converted, existing);
  const changes = machineApiMachineSetChanges(existing, desired, settings.platform);
  if (!hasChanges(changes, 'metadata', 'spec', 'providerSpec')) return existing;
  return failingWith('FailedToUpdateMAPIMachineSet', 'failed to update Machine API machine set', () =>
    client.update(mapiv1beta1.machinesets, desired),
  );
}
