import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { ClusterFacts } from '../conversion/cluster-facts.ts';
import { Findings } from '../conversion/findings.ts';
import type { InfraTemplate } from '../conversion/infra-objects.ts';
import { type ClusterApiMachineSet, machineSetToClusterApi } from '../conversion/machine-set/to-cluster-api.ts';
import { clusterApiNamespace } from '../conversion/names.ts';
import { clusterApiSetOwner } from '../conversion/owner-references.ts';
import { hasChanges } from '../differ/changes.ts';
import { clusterApiMachineSetChanges, infraTemplateChanges } from '../differ/index.ts';
import { desiredClusterApiMachineSet, outdatedTemplates } from '../sync/desired/machine-set.ts';
import { clusterApiStatusOver } from '../sync/desired/status.ts';
import { confirmOriginal } from './confirm-original.ts';
import { type MachineSetCopies, templatesOf } from './machine-set-copies.ts';
import { resolveOwners } from './owners.ts';
import type { Told } from './report.ts';
import { clusterFacts, inClusterApi, type PassScope } from './scope.ts';
import { failingWith, listed, SyncError } from './sync-error.ts';
import { ensureSyncFinalizers, held, patchStatus } from './writes.ts';

const unconvertible = 'FailedToConvertMAPIMachineSetToCAPI';
const templateManager = 'MachineSetSyncController';

interface Copying extends MachineSetCopies {
  readonly machineApi: mapiv1beta1.MachineSet;
}

/** Makes the Cluster API copy of a set say what the original says, with a template of its machines. */
export async function copyMachineSetToClusterApi(
  { machineApi, clusterApi }: Copying,
  { paused }: { readonly paused: boolean },
  templates: readonly InfraTemplate[],
  scope: PassScope,
): Promise<Told | undefined> {
  if (await ensureSyncFinalizers(scope, [machineApi, clusterApi])) return undefined;
  const facts = await clusterFacts(scope);
  const { infrastructureName } = facts.infrastructure;
  const owners = await resolveOwners(
    clusterApiSetOwner(machineApi, infrastructureName),
    'ClusterAPI',
    unconvertible,
    scope,
  );
  const converted = convert(machineApi, facts, scope);
  const { machineSet, template } = desiredClusterApiMachineSet(converted, clusterApi, { owners, paused });
  await storeTemplate(machineApi, template, scope);
  const stored = await store({ machineApi, clusterApi }, machineSet, scope);
  if (machineApi.status?.observedGeneration === machineApi.metadata.generation)
    await failingWith('FailedToUpdateCAPIMachineSet', 'failed to update Cluster API machine set status', () =>
      patchStatus(scope.client, capiv1beta2.machinesets, stored, clusterApiStatusOver(stored, machineSet)),
    );
  const current = template.metadata.name ?? '';
  if (outdatedTemplates(templates, current).length > 0) {
    await deleteTemplates(machineApi.metadata.name ?? '', scope, current);
    return undefined;
  }
  const { generation = 0 } = machineApi.metadata;
  return { about: machineApi, outcome: { kind: 'synchronized', source: 'MachineAPI', generation } };
}

/** Deletes the templates that were made for a set, all but one when that is named. */
export async function deleteTemplates(set: string, { client, settings }: PassScope, except?: string): Promise<void> {
  await failingWith(
    'FailedToUpdateCAPIInfraMachineTemplate',
    'failed to delete Cluster API infra machine templates',
    () =>
      client.deleteCollection(settings.platform.kinds.template, {
        namespace: clusterApiNamespace,
        labelSelector: templatesOf(set),
        ...(except === undefined ? {} : { fieldSelector: `metadata.name!=${except}` }),
      }),
  );
}

function convert(set: mapiv1beta1.MachineSet, facts: ClusterFacts, scope: PassScope): ClusterApiMachineSet {
  const { platform } = scope.settings;
  const cluster = new Findings();
  const { metadata = {}, spec = {} } = set.spec.template ?? {};
  platform.checkCluster({ metadata, spec }, facts, cluster);
  const { value, errors, warnings } = machineSetToClusterApi(set, platform, facts);
  const wrong = [...cluster.errors, ...errors];
  if (wrong.length > 0)
    throw new SyncError(
      unconvertible,
      `failed to convert Machine API machine set to Cluster API machine set: ${listed(wrong)}`,
    );
  if (set.status?.synchronizedGeneration !== set.metadata.generation)
    for (const { field, message } of warnings) scope.events.warning(set, 'ConversionWarning', `${field}: ${message}`);
  return value;
}

async function storeTemplate(
  original: mapiv1beta1.MachineSet,
  desired: InfraTemplate,
  scope: PassScope,
): Promise<void> {
  const { client, reader, settings } = scope;
  const { platform } = settings;
  const type = platform.kinds.template;
  const { name = '' } = desired.metadata;
  const existing = (await reader.get(type, inClusterApi(name))) as InfraTemplate | undefined;
  if (existing && !hasChanges(infraTemplateChanges(existing, desired, platform), 'metadata', 'spec')) return;
  await confirmOriginal(original, scope);
  await failingWith(
    'FailedToUpdateCAPIInfraMachineTemplate',
    'failed to apply Cluster API infra machine template',
    () =>
      client.apply(
        type,
        { ...desired, metadata: { ...desired.metadata, name } },
        { fieldManager: templateManager, force: true },
      ),
  );
}

async function store(
  { machineApi, clusterApi: existing }: Copying,
  wanted: capiv1beta2.MachineSet,
  scope: PassScope,
): Promise<capiv1beta2.MachineSet> {
  const { client } = scope;
  const { status: _, ...desired } = wanted;
  if (existing && !hasChanges(clusterApiMachineSetChanges(existing, desired), 'metadata', 'spec')) return existing;
  await confirmOriginal(machineApi, scope);
  if (!existing)
    return failingWith('FailedToCreateCAPIMachineSet', 'failed to create Cluster API machine set', () =>
      client.create(capiv1beta2.machinesets, held(desired)),
    );
  return failingWith('FailedToUpdateCAPIMachineSet', 'failed to update Cluster API machine set', () =>
    client.update(capiv1beta2.machinesets, desired),
  );
}
