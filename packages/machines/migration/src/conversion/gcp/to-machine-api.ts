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
      gpus: spec.guestAccelerators?.map(({ count = 0, type = '' }) => ({ count, type: type.split('/').at(-1) ?? '' })),
      preemptible: spec.preemptible,
      provisioningModel: provisioningModel(input),
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

function provisioningModel({ spec, findings, path }: Input): string | undefined {
  const model: string | undefined = spec.provisioningModel;
  if (model !== undefined && model !== 'Spot' && model !== 'Standard')
    findings.invalid(`${path}.provisioningModel`, model, 'unable to convert provisioningModel, unknown value');
  return model === 'Spot' ? model : undefined;
}
