import { describe, expect, it } from 'vitest';
import { type ProviderSpec, withProviderSpecDefaults } from './index.ts';

const facts = { clusterID: 'prod-x7k2p', architecture: 'amd64', region: 'us-east-1' } as const;

/** A spec that says nothing but what it is. */
const empty = (kind: ProviderSpec['kind']) => ({ kind }) as ProviderSpec;

describe('withProviderSpecDefaults', () => {
  it.each([
    [
      'AWSMachineProviderConfig',
      {
        instanceType: 'm5.large',
        credentialsSecret: { name: 'aws-cloud-credentials' },
        placement: { region: 'us-east-1' },
      },
    ],
    [
      'AzureMachineProviderSpec',
      {
        vmSize: 'Standard_D4s_V3',
        vnet: 'prod-x7k2p-vnet',
        subnet: 'prod-x7k2p-worker-subnet',
        osDisk: { osType: 'Linux', managedDisk: { storageAccountType: 'Premium_LRS' } },
        credentialsSecret: { name: 'azure-cloud-credentials', namespace: 'openshift-machine-api' },
      },
    ],
    [
      'GCPMachineProviderSpec',
      {
        machineType: 'n1-standard-4',
        disks: [{ autoDelete: true, boot: true, sizeGb: 128, type: 'pd-standard' }],
        networkInterfaces: [{ network: 'prod-x7k2p-network', subnetwork: 'prod-x7k2p-worker-subnet' }],
        tags: ['prod-x7k2p-worker'],
      },
    ],
    ['VSphereMachineProviderSpec', { credentialsSecret: { name: 'vsphere-cloud-credentials' } }],
    ['PowerVSMachineProviderConfig', { systemType: 's922', processorType: 'Shared', processors: '0.5', memoryGiB: 32 }],
  ] as const)('When a %s says nothing, it should be filled in', (kind, filled) => {
    const spec = withProviderSpecDefaults(empty(kind), facts);
    expect(spec).toMatchObject({ ...filled, userDataSecret: { name: 'worker-user-data' } });
    expect(withProviderSpecDefaults(spec, facts)).toEqual(spec);
  });

  it('When machines are of another architecture, it should choose types of that', () => {
    const types = (['AWSMachineProviderConfig', 'AzureMachineProviderSpec', 'GCPMachineProviderSpec'] as const).map(
      (kind) => withProviderSpecDefaults(empty(kind), { ...facts, architecture: 'arm64' }),
    );
    expect(types).toMatchObject([
      { instanceType: 'm6g.large' },
      { vmSize: 'Standard_D4ps_V5' },
      { machineType: 't2a-standard-4' },
    ]);
  });

  it('When something is said, it should stay', () => {
    const spec = { ...empty('AzureMachineProviderSpec'), subnet: 'mine' } as ProviderSpec;
    const filled = withProviderSpecDefaults(spec, facts);
    expect(filled).toMatchObject({ subnet: 'mine' });
    expect(filled).not.toHaveProperty('vnet');
    const metal = empty('BareMetalMachineProviderSpec');
    expect(withProviderSpecDefaults(metal, facts)).toBe(metal);
  });
});
