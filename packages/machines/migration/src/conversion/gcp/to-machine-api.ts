import type { GCPMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { gcpv1beta1 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import { creationCondition } from '../instance-status.ts';
import type { ProviderParts, ToMachineApi } from '../platform-conversion.ts';
import { disksToMachineApi } from './disks.ts';
import { defaultCredentials } from './to-cluster-api.ts';

type Input = ToMachineApi<gcpv1beta1.GCPMachineSpec, gcpv1beta1.GCPCluster>;

/** What Cluster API gives to a machine about whose service account nothing is said. */
const defaultAccount = { email: 'default', scopes: ['https://www.googleapis.com/auth/cloud-platform'] };

/** A GCPMachine as a GCPMachineProviderSpec. */
export function gcpToMachineApi(
  input: Input,
): ProviderParts<Omit<Draft<GCPMachineProviderSpec>, 'apiVersion' | 'kind'>> {
  const { spec, machine, cluster, facts, findings, path } = input;
  findings.unsupported(path, spec, {
    imageFamily: 'imageFamily is not supported',
    aliasIPRanges: 'aliasIPRanges are not supported',
  });
  findings.oneOf(`${path}.provisioningModel`, spec.provisioningModel, ['Spot', 'Standard']);
  findings.oneOf(`${path}.ipForwarding`, spec.ipForwarding, ['Enabled', 'Disabled']);
  const status = input.status as gcpv1beta1.GCPMachineStatus | undefined;
  const { region, project, network } = cluster?.spec ?? {};
  const zone = machine.spec.failureDomain;
  const userData = machine.spec.bootstrap.dataSecretName;
  const { email = defaultAccount.email, scopes = [] } = spec.serviceAccounts ?? defaultAccount;
  const name = machine.spec.providerID?.split('/').at(-1);
  return {
    spec: {
      userDataSecret: userData ? { name: userData } : undefined,
      credentialsSecret: { name: defaultCredentials },
      canIPForward: spec.ipForwarding !== 'Disabled',
      deletionProtection: false,
      disks: disksToMachineApi(spec, path, findings),
      labels: spec.additionalLabels,
      gcpMetadata: spec.additionalMetadata,
      networkInterfaces: [
        {
          publicIP: spec.publicIP,
          network: network?.name,
          projectID: network?.hostProject,
          subnetwork: spec.subnet,
        },
      ],
      serviceAccounts: [{ email, scopes }],
      tags: spec.additionalNetworkTags,
      machineType: spec.instanceType,
      region,
      zone,
      projectID: project,
      gpus: accelerators(input),
      preemptible: spec.preemptible,
      provisioningModel: spec.provisioningModel === 'Spot' ? 'Spot' : undefined,
      onHostMaintenance: spec.onHostMaintenance,
      shieldedInstanceConfig: spec.shieldedInstanceConfig,
      confidentialCompute: spec.confidentialCompute,
      resourceManagerTags: spec.resourceManagerTags,
    },
    status: {
      ...(name ? { instanceId: name } : {}),
      ...(status?.instanceState ? { instanceState: status.instanceState } : {}),
      conditions: [creationCondition('MachineCreated', status?.ready, 'GCPMachine', facts.now)],
    },
    instanceType: spec.instanceType,
    region,
    zone,
    instanceState: status?.instanceState,
  };
}

/** Accelerators are of the zone that the machine is in; the Machine API names their type alone. */
function accelerators({ spec, machine, cluster, findings, path }: Input) {
  const home = `projects/${cluster?.spec.project}/zones/${machine.spec.failureDomain}/acceleratorTypes/`;
  return spec.guestAccelerators?.map(({ count = 0, type = '' }, index) => {
    const name = type.slice(type.lastIndexOf('/') + 1);
    if (type.includes('/') && !type.endsWith(home + name))
      findings.invalid(`${path}.guestAccelerators[${index}].type`, type, `must be a type of ${home.slice(0, -1)}`);
    return { count, type: name };
  });
}
