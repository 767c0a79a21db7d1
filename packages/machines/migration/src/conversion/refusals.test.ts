import type { JsonObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { infraSpecComplaints, providerSpecComplaints } from '../testing/complaints.ts';

type Row = readonly [platform: string, patch: JsonObject, error: string];

const providerSpecs: readonly Row[] = [
  [
    'AWS',
    { kind: 'AzureMachineProviderSpec' },
    'value.kind: Invalid value: "AzureMachineProviderSpec": must be AWSMachineProviderConfig on AWS',
  ],
  ['AWS', { instanceType: 7 }, 'value.instanceType: Invalid value: 7: must be a string'],
  [
    'AWS',
    { securityGroups: [{ arn: 'arn:aws:sg' }] },
    'securityGroups[0].arn: Invalid value: "arn:aws:sg": arn is not supported',
  ],
  ['AWS', { iamInstanceProfile: { arn: 'arn:aws:p' } }, 'iamInstanceProfile must be given by id'],
  ['AWS', { marketType: 'Futures' }, 'unable to convert market type, unknown value'],
  ['AWS', { placement: { host: { affinity: 'DedicatedHost' } } }, 'placement.host.dedicatedHost.id: Required value'],
  ['AWS', { blockDevices: [{ ebs: { kmsKey: { filters: [{ name: 'a' }] } } }] }, 'a key must be given by id or arn'],
  [
    'Azure',
    { location: 'northeurope' },
    'value.location: Invalid value: "northeurope": must match location of AzureCluster "westeurope"',
  ],
  ['Azure', { resourceGroup: 'other' }, 'must match resourceGroup of AzureCluster "prod-rg"'],
  ['Azure', { vnet: 'other' }, 'must match networkSpec.vnet.name of AzureCluster "nodes"'],
  [
    'Azure',
    { networkResourceGroup: 'other' },
    'must match networkSpec.vnet.resourceGroup of AzureCluster "network-rg"',
  ],
  ['Azure', { publicLoadBalancer: 'other' }, 'must match the node outbound load balancer of AzureCluster "prod-x7k2p"'],
  ['Azure', { internalLoadBalancer: 'api' }, 'internalLoadBalancer is not supported for non-control plane machines'],
  ['Azure', { natRule: 0 }, 'value.natRule: Invalid value: 0: natRule is not supported'],
  ['Azure', { availabilitySet: 'a' }, 'availabilitySet is not supported'],
  [
    'Azure',
    { credentialsSecret: { name: 'mine' } },
    'credential secret does not match the default of "azure-cloud-credentials"',
  ],
  [
    'Azure',
    { userDataSecret: { name: 'u', namespace: 'default' } },
    'userDataSecret.namespace: Invalid value: "default"',
  ],
  ['Azure', { image: { resourceID: null } }, 'value.image: Required value'],
  ['Azure', { dataDisks: [{ deletionPolicy: 'Detach' }] }, 'dataDisks[0].deletionPolicy: Invalid value: "Detach"'],
  [
    'Azure',
    { securityProfile: { settings: { securityType: 'ConfidentialVM' } } },
    'trustedLaunch needs securityType TrustedLaunch',
  ],
  ['BareMetal', { image: { url: null } }, 'value.image.url: Required value'],
  ['BareMetal', { userData: { name: 'u', namespace: 'default' } }, 'userData.namespace: Invalid value: "default"'],
  ['GCP', { disks: [] }, 'exactly one disk must be the boot disk'],
  ['GCP', { disks: [{ boot: true, image: 'i', autoDelete: false }] }, 'disks[0].autoDelete: Invalid value: false'],
  ['GCP', { networkInterfaces: [{}, {}] }, 'more than one network interface is not supported'],
  ['GCP', { networkInterfaces: [{ network: 'other' }] }, 'must match network.name of GCPCluster "nodes"'],
  ['GCP', { projectID: 'other' }, 'must match project of GCPCluster "prod"'],
  ['GCP', { deletionProtection: true }, 'deletionProtection is not supported'],
  ['GCP', { restartPolicy: 'Never' }, 'restartPolicy Never is not supported'],
  ['GCP', { targetPools: ['a'] }, 'targetPools are not supported for non-control plane machines'],
  ['GCP', { serviceAccounts: [{ email: 'a' }, { email: 'b' }] }, 'more than one service account is not supported'],
  ['OpenStack', { securityGroups: [{}] }, 'A security group must be referenced by a UUID or filter'],
  ['OpenStack', { ports: [{ networkID: 'a', profile: { other: 'x' } }] }, 'profile contains an unsupported key'],
  ['VSphere', { workspace: { server: 'other' } }, 'must match server of VSphereCluster "vcenter.example.com"'],
  ['VSphere', { workspace: { vmGroup: 'nobody' } }, 'no failure domain has this vmGroup'],
  ['VSphere', { network: { devices: [{}] } }, 'network.devices[0].networkName: Required value'],
  [
    'VSphere',
    { network: { devices: [{ networkName: 'a', addressesFromPools: [{ group: 'x', resource: 'ys', name: 'z' }] }] } },
    'the kind of this pool is not known',
  ],
];

const infraSpecs: readonly Row[] = [
  ['AWS', { elasticIpPool: { publicIpv4Pool: 'amazon' } }, 'elasticIpPool is not supported'],
  ['AWS', { capacityReservationPreference: 'None' }, 'capacityReservationPreference is not supported'],
  ['AWS', { somethingNew: { a: 1 } }, 'spec.somethingNew: Invalid value: {"a":1}: somethingNew is not supported'],
  ['AWS', { cpuOptions: { nestedVirtualization: 'enabled' } }, 'nestedVirtualization is not supported'],
  [
    'AWS',
    { hostAffinity: 'host', hostID: 'h-12345678', dynamicHostAllocation: {} },
    'id and dynamicHostAllocation are mutually exclusive',
  ],
  ['AWS', { nonRootVolumes: [{ size: 8 }] }, 'nonRootVolumes[0].deviceName: Required value'],
  ['AWS', { placementGroupPartition: 2 ** 31 }, 'placementGroupPartition exceeds maximum int32 value'],
  ['AWS', { tenancy: 'shared' }, 'unable to convert tenancy, unknown value'],
  ['Azure', { identity: 'SystemAssigned' }, 'SystemAssigned identities are not supported'],
  ['Azure', { image: { id: null, computeGallery: { gallery: 'g' } } }, 'computeGallery is not supported'],
  [
    'Azure',
    { osDisk: { diffDiskSettings: { option: 'Local', placement: 'CacheDisk' } } },
    'placement is not supported',
  ],
  ['Azure', { spotVMOptions: { evictionPolicy: 'Delete' } }, 'evictionPolicy is not supported'],
  ['Azure', { networkInterfaces: [{ privateIPConfigs: 2 }] }, 'privateIPConfigs values other than 1 are not supported'],
  ['Azure', { dnsServers: ['10.0.0.1'] }, 'dnsServers are not supported'],
  ['BareMetal', { image: { format: 'raw' } }, 'spec.image.format: Invalid value: "raw": format is not supported'],
  ['BareMetal', { automatedCleaningMode: 'disabled' }, 'automatedCleaningMode is not supported'],
  ['GCP', { imageFamily: 'rhcos' }, 'imageFamily is not supported'],
  [
    'GCP',
    { rootDiskEncryptionKey: { keyType: 'Supplied', suppliedKey: { rawKey: 'hush' } } },
    'rootDiskEncryptionKey.suppliedKey: Forbidden: only keys of KMS are supported',
  ],
  [
    'GCP',
    { guestAccelerators: [{ type: 'projects/x/zones/y/acceleratorTypes/t4' }] },
    'must be a type of projects/prod/zones/us-central1-a',
  ],
  ['OpenStack', { identityRef: { type: 'ClusterIdentity' } }, 'MAPO only supports credentials in a Secret'],
  [
    'OpenStack',
    { rootVolume: { availabilityZone: { from: 'Machine' } } },
    'MAPO only supports defining availability zones by name',
  ],
  ['VSphere', { powerOffMode: 'soft' }, 'powerOffMode values other than "hard" are not supported'],
  [
    'VSphere',
    { network: { devices: [{ networkName: 'a' }] } },
    'MAPI uses DHCP exactly where neither addresses nor pools are given',
  ],
  [
    'VSphere',
    { network: { devices: [{ networkName: 'a', gateway4: '192.0.2.1', gateway6: '2001:db8::1', dhcp4: true }] } },
    'one gateway is supported only',
  ],
];

describe('What the other API cannot say', () => {
  it.each(providerSpecs)('When a provider spec of %s says %j, it should be refused', (platform, patch, error) => {
    const { errors } = providerSpecComplaints(platform, patch);
    expect(errors.join('\n')).toContain(error);
  });

  it.each(infraSpecs)('When an InfraMachine of %s says %j, it should be refused', (platform, patch, error) => {
    const { errors } = infraSpecComplaints(platform, patch);
    expect(errors.join('\n')).toContain(error);
  });

  it('When the control plane names its load balancers, it should be accepted as far as the cluster has them', () => {
    const master = { 'machine.openshift.io/cluster-api-machine-role': 'master' };
    expect(providerSpecComplaints('GCP', { targetPools: ['a'] }, master).errors).toEqual([]);
    expect(providerSpecComplaints('Azure', { publicLoadBalancer: 'prod-x7k2p' }, master).errors).toEqual([]);
    expect(providerSpecComplaints('Azure', { internalLoadBalancer: 'api' }, master).errors).toHaveLength(1);
  });

  it('When the user data of a host is named twice, it should be the same', () => {
    const { errors } = infraSpecComplaints('BareMetal', {}, { dataSecretName: 'other' });
    expect(errors).toEqual([
      'spec.userData.name: Invalid value: "worker-user-data": must match "other" of the Machine',
    ]);
  });

  it('When an InfraCluster is missing, it should be asked for once', async () => {
    const { machineToClusterApi, platformConversion } = await import('../index.ts');
    const machine = { apiVersion: '', kind: 'Machine', metadata: { name: 'a' }, spec: {} };
    const facts = { infrastructure: { infrastructureName: 'prod' }, now: '2026-01-01T00:00:00Z' };
    const { errors } = machineToClusterApi(machine, platformConversion('GCP')!, facts);
    expect(errors.filter(({ field }) => field === 'infraCluster')).toMatchObject([
      { message: 'Required value: GCPCluster prod must exist' },
    ]);
  });
});
