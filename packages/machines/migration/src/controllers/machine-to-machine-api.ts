import type { OwnerReference } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta2 } from '@hypershift-ts/machines-cluster-api';
import { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import type { ClusterFacts } from '../conversion/cluster-facts.ts';
import type { InfraObject } from '../conversion/infra-objects.ts';
import { machineToMachineApi } from '../conversion/machine/to-machine-api.ts';
import { machineApiOwner } from '../conversion/owner-references.ts';
import { hasChanges } from '../differ/changes.ts';
import { machineApiMachineChanges } from '../differ/index.ts';
import { desiredMachineApiMachine } from '../sync/desired/machine.ts';
import { machineStatusOver } from '../sync/desired/status.ts';
import { requireInfraCluster } from './infra-resources.ts';
import type { MachineCopies } from './machine-copies.ts';
import { resolveOwners } from './owners.ts';
import type { Told } from './report.ts';
import { clusterFacts, type PassScope } from './scope.ts';
import { failingWith, listed, SyncError } from './sync-error.ts';
import { ensureSyncFinalizers, held, patchStatus } from './writes.ts';

const unconvertible = 'FailedToConvertCAPIMachineToMAPI';

interface Copying extends MachineCopies {
  readonly clusterApi: capiv1beta2.Machine;
}

/** Makes the Machine API copy of a machine say what the original says. */
export async function copyMachineToMachineApi(copies: Copying, scope: PassScope): Promise<Told | undefined> {
  const { machineApi, clusterApi, infra } = copies;
  const facts = await clusterFacts(scope);
  requireInfraCluster(clusterApi, facts, scope);
  const infraMachine = requireInfra(infra, scope);
  if (await ensureSyncFinalizers(scope, [machineApi, clusterApi, infra])) return undefined;
  const owners = await resolveOwners(machineApiOwner(clusterApi), 'MachineAPI', unconvertible, scope);
  const converted = convert({ ...copies, infra: infraMachine }, facts, scope);
  const stored = await store(machineApi, converted, owners, scope);
  // A new copy first has to be told who has authority over it.
  if (!machineApi) return undefined;
  const about = await failingWith('FailedToUpdateMAPIMachine', 'failed to update Machine API machine status', () =>
    patchStatus(scope.client, mapiv1beta1.machines, stored, machineStatusOver(stored, converted)),
  );
  const { generation = 0 } = clusterApi.metadata;
  return { about, outcome: { kind: 'synchronized', source: 'ClusterAPI', generation } };
}

function requireInfra(infra: InfraObject | undefined, { settings }: PassScope): InfraObject {
  if (infra) return infra;
  const { kind } = settings.platform.kinds.machine;
  throw new SyncError(
    unconvertible,
    `failed to convert Cluster API machine to Machine API machine: unexpected InfraMachine type, expected ${kind}, got <nil>`,
  );
}

function convert(
  { machineApi, clusterApi, infra }: Copying & { readonly infra: InfraObject },
  facts: ClusterFacts,
  { settings, events }: PassScope,
): mapiv1beta1.Machine {
  const original = { machine: clusterApi, infraMachine: infra };
  const { value, errors, warnings } = machineToMachineApi(original, settings.platform, facts);
  if (errors.length > 0)
    throw new SyncError(
      unconvertible,
      `failed to convert Cluster API machine to Machine API machine: ${listed(errors)}`,
    );
  // Said once for each generation, not at every pass.
  if (machineApi?.status?.synchronizedGeneration !== clusterApi.metadata.generation)
    for (const { field, message } of warnings) events.warning(clusterApi, 'ConversionWarning', `${field}: ${message}`);
  return value;
}

async function store(
  existing: mapiv1beta1.Machine | undefined,
  converted: mapiv1beta1.Machine,
  owners: readonly OwnerReference[],
  { client, settings }: PassScope,
): Promise<mapiv1beta1.Machine> {
  const { status: _, ...desired } = desiredMachineApiMachine(converted, existing, owners);
  if (!existing)
    return failingWith('FailedToCreateMAPIMachine', 'failed to create Machine API machine', () =>
      client.create(mapiv1beta1.machines, held(desired)),
    );
  const changes = machineApiMachineChanges(existing, desired, settings.platform);
  if (!hasChanges(changes, 'metadata', 'spec', 'providerSpec')) return existing;
  return failingWith('FailedToUpdateMAPIMachine', 'failed to update Machine API machine', () =>
    client.update(mapiv1beta1.machines, desired),
  );
}
