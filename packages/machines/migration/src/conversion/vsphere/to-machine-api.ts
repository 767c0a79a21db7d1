import type { VSphereMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { Draft } from '../../wire/draft.ts';
import { creationCondition } from '../instance-status.ts';
import { unlessEmpty } from '../labels.ts';
import type { ProviderParts, ToMachineApi } from '../platform-conversion.ts';
import { failureDomainNamed } from './failure-domain.ts';
import { devicesToMachineApi } from './network.ts';
import { defaultCredentials } from './to-cluster-api.ts';
import type { VSphereCluster, VSphereMachineSpec, VSphereMachineStatus } from './types.ts';

type Input = ToMachineApi<VSphereMachineSpec, VSphereCluster>;

/** A VSphereMachine as a VSphereMachineProviderSpec. */
export function vsphereToMachineApi(
  input: Input,
): ProviderParts<Omit<Draft<VSphereMachineProviderSpec>, 'apiVersion' | 'kind'>> {
  const { spec, machine, cluster, facts, findings, path } = input;
  refuse(input);
  const status = input.status as VSphereMachineStatus | undefined;
  const domain = failureDomainNamed(machine.spec.failureDomain, facts);
  const server = spec.server || cluster?.spec?.server;
  const vmGroup = domain?.zoneAffinity?.hostGroup?.vmGroup;
  const userData = machine.spec.bootstrap.dataSecretName;
  const instanceState = status?.ready ? 'poweredOn' : undefined;
  const uuid = machine.spec.providerID?.replace(/^vsphere:\/\//, '');
  return {
    spec: {
      userDataSecret: userData ? { name: userData } : undefined,
      credentialsSecret: { name: defaultCredentials },
      template: spec.template,
      workspace: unlessEmpty({
        ...(server ? { server } : {}),
        ...(spec.datacenter ? { datacenter: spec.datacenter } : {}),
        ...(spec.folder ? { folder: spec.folder } : {}),
        ...(spec.datastore ? { datastore: spec.datastore } : {}),
        ...(spec.resourcePool ? { resourcePool: spec.resourcePool } : {}),
        ...(vmGroup ? { vmGroup } : {}),
      }),
      network: { devices: devicesToMachineApi(spec.network.devices, `${path}.network.devices`, findings) },
      numCPUs: spec.numCPUs,
      numCoresPerSocket: spec.numCoresPerSocket,
      memoryMiB: spec.memoryMiB,
      diskGiB: spec.diskGiB,
      tagIDs: spec.tagIDs,
      snapshot: spec.snapshot,
      cloneMode: spec.cloneMode || 'linkedClone',
      dataDisks: spec.dataDisks?.map(({ name = '', sizeGiB, provisioningMode }) => ({
        name,
        sizeGiB,
        provisioningMode,
      })),
    },
    status: {
      ...(uuid ? { instanceId: uuid } : {}),
      ...(instanceState ? { instanceState } : {}),
      conditions: [creationCondition('MachineCreation', status?.ready, 'VSphereMachine', facts.now)],
    },
    region: domain?.region,
    zone: domain?.zone,
    instanceState,
  };
}

function refuse({ spec, findings, path }: Input): void {
  findings.unsupported(path, spec, {
    thumbprint: 'thumbprint is not supported',
    storagePolicyName: 'storagePolicyName is not supported',
    resources: 'resources are not supported',
    additionalDisksGiB: 'additionalDisksGiB are not supported',
    customVMXKeys: 'customVMXKeys are not supported',
    pciDevices: 'pciDevices are not supported',
    hardwareVersion: 'hardwareVersion is not supported',
    failureDomain: 'failureDomain is not supported, the Machine names it',
    guestSoftPowerOffTimeout: 'guestSoftPowerOffTimeout is not supported',
    namingStrategy: 'namingStrategy is not supported',
  });
  findings.unsupported(`${path}.network`, spec.network, {
    routes: 'routes are not supported',
    preferredAPIServerCidr: 'preferredAPIServerCidr is not supported',
  });
  if (spec.os && spec.os !== 'Linux')
    findings.invalid(`${path}.os`, spec.os, 'os values other than "Linux" are not supported');
  if (spec.powerOffMode && spec.powerOffMode !== 'hard')
    findings.invalid(
      `${path}.powerOffMode`,
      spec.powerOffMode,
      'powerOffMode values other than "hard" are not supported',
    );
}
