import type { Hints } from '../arbitrary.ts';
import type { Random } from '../random.ts';
import { factsWith, never, type PlatformCase } from './platform-case.ts';

const filters = (random: Random) =>
  random.some(() => ({ name: random.word(), values: [random.word(), random.word()] }));
const reference = (random: Random) => (random.boolean() ? { id: random.word() } : { filters: filters(random) });

const tags = (random: Random) =>
  [...new Set(random.some(() => random.word()))].sort().map((name) => ({ name, value: random.word() }));

const hosts = [
  {},
  { tenancy: 'default' },
  { tenancy: 'dedicated' },
  { tenancy: 'host', host: { affinity: 'AnyAvailable' } },
  {
    tenancy: 'host',
    host: { affinity: 'AnyAvailable', dedicatedHost: { allocationStrategy: 'UserProvided', id: 'h-12345678' } },
  },
  {
    tenancy: 'host',
    host: {
      affinity: 'DedicatedHost',
      dedicatedHost: { allocationStrategy: 'UserProvided', id: 'h-0123456789abcdef0' },
    },
  },
  { tenancy: 'host', host: { affinity: 'DedicatedHost', dedicatedHost: { allocationStrategy: 'Dynamic' } } },
  {
    tenancy: 'host',
    host: {
      affinity: 'DedicatedHost',
      dedicatedHost: { allocationStrategy: 'Dynamic', dynamicHostAllocation: { tags: [{ name: 'a', value: 'b' }] } },
    },
  },
];

const newHosts = [
  { hostAffinity: 'default' },
  { hostAffinity: 'default', hostID: 'h-12345678' },
  { hostAffinity: 'host', hostID: 'h-0123456789abcdef0' },
  { hostAffinity: 'host', dynamicHostAllocation: {} },
  { hostAffinity: 'host', dynamicHostAllocation: { tags: { a: 'b', c: 'd' } } },
];

const ebs = (random: Random) => ({
  ...(random.boolean() ? { encrypted: random.boolean() } : {}),
  kmsKey: random.boolean() ? { id: random.word() } : { arn: `arn:aws:kms:${random.word()}` },
  ...(random.boolean() ? { iops: 1 + random.below(9000) } : {}),
  ...(random.boolean() ? { throughputMib: random.below(2000) } : {}),
  volumeSize: 8 + random.below(1000),
  ...(random.boolean() ? { volumeType: random.pick(['gp3', 'io2']) } : {}),
});

const volume = (random: Random, deviceName?: string) => ({
  ...(deviceName ? { deviceName } : {}),
  size: 8 + random.below(1000),
  ...(random.boolean() ? { type: random.pick(['gp3', 'io2']) } : {}),
  ...(random.boolean() ? { iops: 1 + random.below(9000) } : {}),
  ...(random.boolean() ? { throughput: random.below(2000) } : {}),
  ...(random.boolean() ? { encrypted: random.boolean() } : {}),
  ...(random.boolean() ? { encryptionKey: random.pick(['alias/key', 'arn:aws:kms:key']) } : {}),
});

const providerHints: Hints = {
  apiVersion: () => 'machine.openshift.io/v1beta1',
  kind: () => 'AWSMachineProviderConfig',
  metadata: never,
  ami: (random) => ({ id: random.word() }),
  cpuOptions: (random) => ({
    confidentialCompute: random.pick(['Disabled', 'AMDEncryptedVirtualizationNestedPaging']),
  }),
  tags,
  iamInstanceProfile: (random) => ({ id: random.word() }),
  userDataSecret: (random) => ({ name: random.word() }),
  credentialsSecret: () => ({ name: 'aws-cloud-credentials' }),
  deviceIndex: () => 0,
  networkInterfaceType: (random) => random.pick(['ENA', 'EFA']),
  'securityGroups[]': reference,
  subnet: reference,
  placement: (random) => ({ region: 'us-east-1', availabilityZone: random.word(), ...random.pick(hosts) }),
  loadBalancers: never,
  blockDevices: (random) => [
    { ebs: ebs(random) },
    ...random.some(() => ({ deviceName: `/dev/${random.word()}`, ebs: ebs(random) })),
  ],
  metadataServiceOptions: (random) => ({ authentication: random.pick(['Required', 'Optional']) }),
  placementGroupPartition: (random) => 1 + random.below(7),
  marketType: (random) => random.pick(['OnDemand', 'Spot', 'CapacityBlock']),
};

const infraHints: Hints = {
  providerID: never,
  instanceID: never,
  instanceMetadataOptions: (random) => ({
    httpEndpoint: 'enabled',
    httpProtocolIpv6: 'disabled',
    httpPutResponseHopLimit: 1,
    httpTokens: random.pick(['optional', 'required']),
    instanceMetadataTags: 'disabled',
  }),
  ami: (random) => ({ id: random.word() }),
  imageLookupFormat: never,
  imageLookupOrg: never,
  imageLookupBaseOS: never,
  cpuOptions: providerHints['cpuOptions']!,
  elasticIpPool: never,
  'additionalSecurityGroups[]': reference,
  subnet: reference,
  securityGroupOverrides: never,
  rootVolume: (random) => volume(random),
  'nonRootVolumes[]': (random) => volume(random, `/dev/${random.word()}`),
  networkInterfaces: never,
  networkInterfaceType: (random) => random.pick(['interface', 'efa']),
  assignPrimaryIPv6: never,
  uncompressedUserData: never,
  cloudInit: () => ({}),
  ignition: () => ({ storageType: 'UnencryptedUserData' }),
  placementGroupPartition: (random) => 1 + random.below(7),
  tenancy: (random) => random.pick(['default', 'dedicated', 'host']),
  privateDnsName: never,
  marketType: providerHints['marketType']!,
  hostID: never,
  hostAffinity: () => 'default',
  dynamicHostAllocation: never,
  capacityReservationPreference: never,
};

export const aws: PlatformCase = {
  name: 'AWS',
  facts: factsWith('AWSCluster', { region: 'us-east-1' }),
  providerSpec: {
    base: {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'AWSMachineProviderConfig',
      ami: { id: 'ami-0123' },
      instanceType: 'm6i.xlarge',
      credentialsSecret: { name: 'aws-cloud-credentials' },
      placement: { region: 'us-east-1' },
      metadataServiceOptions: { authentication: 'Required' },
      blockDevices: [{ ebs: { kmsKey: { id: '' }, volumeSize: 120 } }],
    },
    hints: providerHints,
    samples: { 'placement.region': 'us-east-1', 'blockDevices[].ebs.kmsKey.arn': 'arn:aws:kms:key' },
  },
  infraSpec: {
    base: {
      instanceMetadataOptions: {
        httpEndpoint: 'enabled',
        httpProtocolIpv6: 'disabled',
        httpPutResponseHopLimit: 1,
        httpTokens: 'required',
        instanceMetadataTags: 'disabled',
      },
      ami: { id: 'ami-0123' },
      instanceType: 'm6i.xlarge',
      subnet: { id: 'subnet-0123' },
      rootVolume: { size: 120 },
      nonRootVolumes: [{ deviceName: '/dev/sdb', size: 10 }],
      ignition: { storageType: 'UnencryptedUserData' },
      hostAffinity: 'default',
    },
    hints: infraHints,
  },
  variants: newHosts,
};
