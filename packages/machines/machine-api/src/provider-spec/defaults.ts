import type { AWSMachineProviderConfig } from './aws.ts';
import type { AzureMachineProviderSpec } from './azure.ts';
import type { GCPMachineProviderSpec } from './gcp.ts';
import type { ProviderSpec } from './index.ts';
import type { PowerVSMachineProviderConfig, VSphereMachineProviderSpec } from './other.ts';

/** What the defaults of a machine depend on. */
export interface DefaultingFacts {
  /** The name of the infrastructure; names of networks are derived from it. */
  readonly clusterID: string;
  readonly architecture?: 'amd64' | 'arm64';
  /** Of the cluster, on clouds that have some. */
  readonly region?: string;
}

const userDataSecret = { name: 'worker-user-data' };

type Defaults = { readonly [K in ProviderSpec['kind']]?: (spec: never, facts: DefaultingFacts) => ProviderSpec };

const defaults: Defaults = {
  AWSMachineProviderConfig: (spec: AWSMachineProviderConfig, { architecture, region }) => ({
    ...spec,
    instanceType: spec.instanceType || (architecture === 'arm64' ? 'm6g.large' : 'm5.large'),
    userDataSecret: spec.userDataSecret ?? userDataSecret,
    credentialsSecret: spec.credentialsSecret ?? { name: 'aws-cloud-credentials' },
    placement: { ...(region ? { region } : {}), ...spec.placement },
  }),

  AzureMachineProviderSpec: (spec: AzureMachineProviderSpec, { architecture, clusterID }) => ({
    ...spec,
    vmSize: spec.vmSize || (architecture === 'arm64' ? 'Standard_D4ps_V5' : 'Standard_D4s_V3'),
    // Somebody who names one of the two means networks of his own.
    ...(spec.vnet || spec.subnet ? {} : { vnet: `${clusterID}-vnet`, subnet: `${clusterID}-worker-subnet` }),
    osDisk: {
      ...spec.osDisk,
      osType: spec.osDisk?.osType || 'Linux',
      managedDisk: {
        ...spec.osDisk?.managedDisk,
        storageAccountType: spec.osDisk?.managedDisk?.storageAccountType || 'Premium_LRS',
      },
    },
    userDataSecret: spec.userDataSecret ?? userDataSecret,
    credentialsSecret: spec.credentialsSecret ?? {
      name: 'azure-cloud-credentials',
      namespace: 'openshift-machine-api',
    },
  }),

  GCPMachineProviderSpec: (spec: GCPMachineProviderSpec, { architecture, clusterID }) => ({
    ...spec,
    machineType: spec.machineType || (architecture === 'arm64' ? 't2a-standard-4' : 'n1-standard-4'),
    networkInterfaces: spec.networkInterfaces?.length
      ? spec.networkInterfaces
      : [{ network: `${clusterID}-network`, subnetwork: `${clusterID}-worker-subnet` }],
    tags: spec.tags?.length ? spec.tags : [`${clusterID}-worker`],
    disks: (spec.disks?.length ? spec.disks : [{ autoDelete: true, boot: true, sizeGb: 0, type: '' }]).map((disk) => ({
      ...disk,
      sizeGb: disk.sizeGb || 128,
      type: disk.type || 'pd-standard',
    })),
    userDataSecret: spec.userDataSecret ?? userDataSecret,
    credentialsSecret: spec.credentialsSecret ?? { name: 'gcp-cloud-credentials' },
  }),

  VSphereMachineProviderSpec: (spec: VSphereMachineProviderSpec) => ({
    ...spec,
    userDataSecret: spec.userDataSecret ?? userDataSecret,
    credentialsSecret: spec.credentialsSecret ?? { name: 'vsphere-cloud-credentials' },
  }),

  PowerVSMachineProviderConfig: (spec: PowerVSMachineProviderConfig) => ({
    ...spec,
    userDataSecret: spec.userDataSecret ?? userDataSecret,
    credentialsSecret: spec.credentialsSecret ?? { name: 'powervs-credentials' },
    systemType: spec.systemType || 's922',
    processorType: spec.processorType || 'Shared',
    processors: spec.processors || '0.5',
    memoryGiB: spec.memoryGiB || 32,
  }),
};

/** A provider spec with what the Machine API fills in when a machine is stored. Kinds without defaults stay as they are. */
export function withProviderSpecDefaults<T extends ProviderSpec>(spec: T, facts: DefaultingFacts): T {
  const fill = Object.hasOwn(defaults, spec.kind) ? defaults[spec.kind] : undefined;
  // The table pairs each kind with a function for exactly that kind.
  return fill ? (fill(spec as never, facts) as T) : spec;
}
