import { hasChanges } from '../differ/changes.ts';
import { clusterApiMachineChanges, infraMachineChanges } from '../differ/index.ts';
import { hasFinalizer } from '@hypershift-ts/kube-controller';
import { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { ClusterFacts } from '../conversion/cluster-facts.ts';
import { Findings } from '../conversion/findings.ts';
import type { InfraObject } from '../conversion/infra-objects.ts';
import { type ClusterApiMachine, machineToClusterApi } from '../conversion/machine/to-cluster-api.ts';
import { syncFinalizer } from '../conversion/names.ts';
import { clusterApiOwner } from '../conversion/owner-references.ts';
import { desiredClusterApiMachine, desiredInfraMachine } from '../sync/desired/machine.ts';
import { clusterApiStatusOver, infraStatusOver } from '../sync/desired/status.ts';
import { confirmOriginal } from './confirm-original.ts';
import { requireInfraCluster } from './infra-resources.ts';
import type { MachineCopies } from './machine-copies.ts';
import { resolveOwners } from './owners.ts';
import { liveReader } from './reader.ts';
import type { Told } from './report.ts';
import { clusterFacts, type PassScope } from './scope.ts';
import { failingWith, listed, SyncError } from './sync-error.ts';
import { deleteObject, ensureSyncFinalizers, held, keyOfObject, patchMetadata, patchStatus } from './writes.ts';

const unconvertible = 'FailedToConvertMAPIMachineToCAPI';

interface Copying extends MachineCopies {
  readonly machineApi: mapiv1beta1.Machine;
}

/** Makes the Cluster API copy of a machine say what the original says. `paused`: it must not act. */
export async function copyMachineToClusterApi(
  copies: Copying,
  { paused }: { readonly paused: boolean },
  scope: PassScope,
): Promise<Told | undefined> {
  const { machineApi, clusterApi, infra } = copies;
  if (await ensureSyncFinalizers(scope, [machineApi, clusterApi, infra])) return undefined;
  const facts = await clusterFacts(scope);
  if (clusterApi) requireInfraCluster(clusterApi, facts, scope);
  const { infrastructureName } = facts.infrastructure;
  const owners = await resolveOwners(
    clusterApiOwner(machineApi, infrastructureName),
    'ClusterAPI',
    unconvertible,
    scope,
  );
  const converted = convert(machineApi, facts, scope);
  const isCurrent = machineApi.status?.synchronizedGeneration === machineApi.metadata.generation;

  const wanted = desiredClusterApiMachine(converted.machine, clusterApi, { owners, paused });
  let machine = await storeMachine(copies, wanted, scope);
  // What the status says belongs to a spec: it is copied once the copy has that spec.
  if (isCurrent)
    machine = await failingWith('FailedToUpdateCAPIMachine', 'failed to update Cluster API machine status', () =>
      patchStatus(scope.client, capiv1beta2.machines, machine, clusterApiStatusOver(machine, converted.machine)),
    );

  const stored = await storeInfra(copies, converted.infraMachine, { machine, paused }, scope);
  if (!stored) return { about: machineApi, outcome: { kind: 'replacing-infra-machine' } };
  if (isCurrent)
    await failingWith('FailedToUpdateCAPIMachine', 'failed to update Cluster API infra machine status', () =>
      patchStatus(
        scope.client,
        scope.settings.platform.kinds.machine,
        stored,
        infraStatusOver(stored, converted.infraMachine),
      ),
    );
  const { generation = 0 } = machineApi.metadata;
  return { about: machineApi, outcome: { kind: 'synchronized', source: 'MachineAPI', generation } };
}

function convert(machine: mapiv1beta1.Machine, facts: ClusterFacts, scope: PassScope): ClusterApiMachine {
  const { platform } = scope.settings;
  const cluster = new Findings();
  platform.checkCluster(machine, facts, cluster);
  const { value, errors, warnings } = machineToClusterApi(machine, platform, facts);
  const wrong = [...cluster.errors, ...errors];
  if (wrong.length > 0)
    throw new SyncError(
      unconvertible,
      `failed to convert Machine API machine to Cluster API machine: ${listed(wrong)}`,
    );
  // Said once for each generation, not at every pass.
  if (machine.status?.synchronizedGeneration !== machine.metadata.generation)
    for (const { field, message } of warnings)
      scope.events.warning(machine, 'ConversionWarning', `${field}: ${message}`);
  return value;
}

async function storeMachine(
  { machineApi, clusterApi: existing }: Copying,
  wanted: capiv1beta2.Machine,
  scope: PassScope,
): Promise<capiv1beta2.Machine> {
  const { client } = scope;
  const { status: _, ...desired } = wanted;
  if (existing && !hasChanges(clusterApiMachineChanges(existing, desired), 'metadata', 'spec')) return existing;
  await confirmOriginal(machineApi, scope);
  if (!existing)
    return failingWith('FailedToCreateCAPIMachine', 'failed to create Cluster API machine', async () => {
      await refuseForeign(desired, scope);
      return client.create(capiv1beta2.machines, held(desired));
    });
  return failingWith('FailedToUpdateCAPIMachine', 'failed to update Cluster API machine', () =>
    client.update(capiv1beta2.machines, desired),
  );
}

/** The InfraMachine as it is then; undefined when the old one had to go and the new one has yet to come. */
async function storeInfra(
  { machineApi, infra: existing }: Copying,
  converted: InfraObject,
  options: { readonly machine: capiv1beta2.Machine; readonly paused: boolean },
  scope: PassScope,
): Promise<InfraObject | undefined> {
  const { client } = scope;
  const { platform } = scope.settings;
  const { status: _, ...desired } = desiredInfraMachine(converted, existing, options);
  const type = platform.kinds.machine;
  const changes = existing && infraMachineChanges(existing, desired, platform);
  // Somebody deleted a copy that nobody else will let go of: a new one takes its place.
  const isStuck = options.paused && existing?.metadata.deletionTimestamp !== undefined;
  if (changes && !isStuck && !hasChanges(changes, 'metadata', 'spec')) return existing;
  await confirmOriginal(machineApi, scope);
  if (!existing || !changes)
    return failingWith('FailedToCreateCAPIMachine', 'failed to create Cluster API infra machine', () =>
      client.create(type, held(desired)),
    );
  if (hasChanges(changes, 'spec') || isStuck) {
    await failingWith('FailedToUpdateCAPIInfraMachine', 'failed to replace Cluster API infra machine', async () => {
      await deleteObject(client, platform, existing, { asRead: true });
      // Its controller is paused, and the instance belongs to the other side: nobody has anything to clean up.
      const { resourceVersion: _version, ...metadata } = existing.metadata;
      await patchMetadata(client, platform, { ...existing, metadata }, { finalizers: null, uid: metadata.uid });
    });
    return undefined;
  }
  return failingWith('FailedToUpdateCAPIMachine', 'failed to update Cluster API infra machine', () =>
    client.update(type, desired),
  );
}

/** What somebody else made under the name of a copy is theirs, and a machine that refers to it would claim it. */
async function refuseForeign(machine: capiv1beta2.Machine, { client, signal, settings }: PassScope): Promise<void> {
  const { machine: type } = settings.platform.kinds;
  const found = await liveReader(client, signal).get(type, keyOfObject(machine));
  if (found && !hasFinalizer(found, syncFinalizer))
    throw new SyncError(
      'FailedToCreateCAPIMachine',
      `failed to create Cluster API infra machine: ${type.kind} ${machine.metadata.name} exists already and is no copy; delete it, or give the machine another name`,
    );
}
