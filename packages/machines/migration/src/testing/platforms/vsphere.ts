import type { Hints } from '../arbitrary.ts';
import type { Random } from '../random.ts';
import { factsWith, never, type PlatformCase } from './platform-case.ts';

const oldAddresses = (random: Random) =>
  random.pick([
    {},
    { ipAddrs: ['192.0.2.7/24'], gateway: '192.0.2.1', nameservers: [random.word()] },
    { ipAddrs: ['2001:db8::7/64'], gateway: '2001:db8::1' },
    { addressesFromPools: [{ group: 'ipam.cluster.x-k8s.io', resource: 'inclusterippools', name: random.word() }] },
  ]);
const newAddresses = (random: Random) =>
  random.pick([
    { dhcp4: true },
    { ipAddrs: ['192.0.2.7/24'], gateway4: '192.0.2.1', nameservers: [random.word()] },
    { ipAddrs: ['2001:db8::7/64'], gateway6: '2001:db8::1' },
    { addressesFromPools: [{ apiGroup: 'ipam.cluster.x-k8s.io', kind: 'InClusterIPPool', name: random.word() }] },
  ]);

const dataDisks = (random: Random) =>
  random.some(() => ({
    name: random.word(),
    sizeGiB: 1 + random.below(100),
    ...(random.boolean() ? { provisioningMode: 'Thin' } : {}),
  }));

const providerHints: Hints = {
  apiVersion: () => 'machine.openshift.io/v1beta1',
  kind: () => 'VSphereMachineProviderSpec',
  metadata: never,
  userDataSecret: (random) => ({ name: random.word() }),
  credentialsSecret: () => ({ name: 'vsphere-cloud-credentials' }),
  workspace: (random) =>
    random.pick([
      { server: 'vcenter.example.com', datacenter: random.word(), folder: random.word(), datastore: random.word() },
      { server: 'vcenter.example.com', datacenter: 'dc1', datastore: 'ds1', resourcePool: random.word() },
      { server: 'vcenter.example.com', datacenter: 'dc2', vmGroup: 'group-2' },
    ]),
  'network.devices': (random) => [{ networkName: random.word(), ...oldAddresses(random) }],
  cloneMode: (random) => random.pick(['fullClone', 'linkedClone']),
  dataDisks,
};

const infraHints: Hints = {
  cloneMode: providerHints['cloneMode']!,
  server: () => 'vcenter.example.com',
  thumbprint: never,
  storagePolicyName: never,
  network: (random) => ({ devices: [{ networkName: random.word(), ...newAddresses(random) }] }),
  resources: never,
  additionalDisksGiB: never,
  customVMXKeys: never,
  pciDevices: never,
  os: never,
  hardwareVersion: never,
  dataDisks,
  providerID: never,
  failureDomain: never,
  powerOffMode: () => 'hard',
  guestSoftPowerOffTimeout: never,
  namingStrategy: never,
};

export const vsphere: PlatformCase = {
  name: 'VSphere',
  facts: factsWith(
    'VSphereCluster',
    { server: 'vcenter.example.com' },
    {
      infrastructure: {
        infrastructureName: 'prod-x7k2p',
        vsphereFailureDomains: [
          {
            name: 'fd-1',
            region: 'r',
            zone: 'z1',
            server: 'vcenter.example.com',
            topology: { datacenter: 'dc1', datastore: 'ds1' },
          },
          {
            name: 'fd-2',
            region: 'r',
            zone: 'z2',
            server: 'vcenter.example.com',
            topology: { datacenter: 'dc2' },
            zoneAffinity: { hostGroup: { vmGroup: 'group-2' } },
          },
        ],
      },
    },
  ),
  failureDomains: [],
  providerSpec: {
    base: {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'VSphereMachineProviderSpec',
      credentialsSecret: { name: 'vsphere-cloud-credentials' },
      template: 'rhcos',
      workspace: { server: 'vcenter.example.com' },
      network: { devices: [{ networkName: 'nodes' }] },
      numCPUs: 4,
      numCoresPerSocket: 2,
      cloneMode: 'fullClone',
      dataDisks: [{ name: 'etcd', sizeGiB: 10 }],
    },
    hints: providerHints,
  },
  infraSpec: {
    base: {
      template: 'rhcos',
      cloneMode: 'fullClone',
      server: 'vcenter.example.com',
      network: { devices: [{ networkName: 'nodes', dhcp4: true }] },
      numCPUs: 4,
      numCoresPerSocket: 2,
      dataDisks: [{ name: 'etcd', sizeGiB: 10 }],
      powerOffMode: 'hard',
    },
    hints: infraHints,
    samples: { 'network.devices[].gateway6': '2001:db8::1' },
  },
};
