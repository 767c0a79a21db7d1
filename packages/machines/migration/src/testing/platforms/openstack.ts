import type { Hints } from '../arbitrary.ts';
import type { Random } from '../random.ts';
import { factsWith, never, type PlatformCase } from './platform-case.ts';

const storage = '810c3d97-98c2-4cf3-b0f6-8977b6e0b4b2';

/** The fields of each draft that say something, and at least the first. */
function filter(random: Random, more: object = {}): object {
  const optional = Object.entries({ description: random.word(), ...more }).filter(() => random.boolean());
  return { name: random.word(), ...Object.fromEntries(optional) };
}

const oldFilter = (random: Random) => filter(random, { projectId: random.word(), tags: 'a,b', notTagsAny: 'c' });
const oldSubnetFilter = (random: Random) =>
  filter(random, {
    projectId: random.word(),
    ipVersion: 4,
    gateway_ip: '10.0.0.1',
    cidr: '10.0.0.0/16',
    ipv6RaMode: 'slaac',
  });
const oldSubnet = (random: Random) =>
  random.boolean() ? { uuid: random.word() } : { filter: oldSubnetFilter(random) };

const newFilter = (random: Random) => filter(random, { projectID: random.word(), tags: ['a', 'b'], notTagsAny: ['c'] });
const newSubnetFilter = (random: Random) =>
  filter(random, {
    projectID: random.word(),
    ipVersion: 4,
    gatewayIP: '10.0.0.1',
    cidr: '10.0.0.0/16',
    ipv6RAMode: 'slaac',
  });
const newSubnet = (random: Random) => ({
  subnet: random.boolean() ? { id: random.word() } : { filter: newSubnetFilter(random) },
});

function interfaceSettings(random: Random, tags: string): object {
  const optional = { [tags]: [random.word()], vnicType: 'direct' };
  return Object.fromEntries(Object.entries(optional).filter(() => random.boolean()));
}

const networks = (random: Random) => [
  ...(random.boolean()
    ? [{ uuid: random.word(), subnets: [{ filter: oldSubnetFilter(random) }], profile: { trusted: 'true' } }]
    : []),
  {
    filter: oldFilter(random),
    subnets: random.some(() => oldSubnet(random)),
    ...(random.boolean() ? { profile: { capabilities: 'switchdev', trusted: 'true' } } : {}),
    ...(random.boolean() ? { portSecurity: random.boolean() } : {}),
    ...interfaceSettings(random, 'portTags'),
  },
  ...(random.boolean() ? [{ filter: {}, subnets: [oldSubnet(random)] }] : []),
];

const ports = (random: Random) => [
  {
    network: { filter: newFilter(random) },
    fixedIPs: random.some(() => newSubnet(random)),
    ...(random.boolean() ? { profile: { ovsHWOffload: true, trustedVF: true } } : {}),
    ...(random.boolean() ? { disablePortSecurity: random.boolean() } : {}),
    ...interfaceSettings(random, 'tags'),
  },
  ...(random.boolean() ? [{ fixedIPs: [newSubnet(random)] }] : []),
  ...random.some(() => ({
    network: { id: random.word() },
    description: random.word(),
    nameSuffix: random.word(),
    fixedIPs: random.some(() => ({ subnet: { id: random.word() }, ipAddress: '10.0.0.7' })),
    securityGroups: random.some(() => ({ id: random.word() })),
    allowedAddressPairs: random.some(() => ({ ipAddress: '10.0.0.8', macAddress: random.word() })),
    trunk: random.boolean(),
    adminStateUp: random.boolean(),
    macAddress: random.word(),
  })),
];

const zone = (random: Random) => ({ from: 'Name', name: random.word() });

const providerHints: Hints = {
  apiVersion: () => 'machine.openshift.io/v1alpha1',
  kind: () => 'OpenstackProviderSpec',
  metadata: never,
  cloudsSecret: (random) => ({ name: random.word(), namespace: 'openshift-machine-api' }),
  sshUserName: never,
  networks,
  'ports[].tenantID': never,
  'ports[].projectID': never,
  'ports[].hostID': never,
  'ports[].securityGroups': (random) => [random.word(), random.word()].slice(random.below(2)),
  'ports[].profile': () => ({ trusted: 'true' }),
  floatingIP: never,
  'securityGroups[]': (random) => (random.boolean() ? { uuid: random.word() } : { filter: oldFilter(random) }),
  userDataSecret: (random) => ({ name: random.word() }),
  rootVolume: (random) => ({
    diskSize: 1 + random.below(100),
    ...(random.boolean() ? { volumeType: random.word() } : {}),
    ...(random.boolean() ? { availabilityZone: random.word() } : {}),
  }),
  'additionalBlockDevices[].storage': (random) =>
    random.pick([{ type: 'Local' }, { type: 'Volume', volume: { type: random.word(), availabilityZone: 'nova' } }]),
  serverGroupName: never,
  primarySubnet: never,
};

const infraHints: Hints = {
  providerID: never,
  flavorID: never,
  image: (random) => ({ filter: { name: random.word() } }),
  ports,
  'securityGroups[]': (random) => (random.boolean() ? { id: random.word() } : { filter: newFilter(random) }),
  serverMetadata: (random) =>
    [...new Set(random.some(() => random.word()))].sort().map((key) => ({ key, value: random.word() })),
  'rootVolume.availabilityZone': zone,
  'additionalBlockDevices[].storage': (random) =>
    random.pick([
      { type: 'Local' },
      { type: 'Volume', volume: { type: random.word(), availabilityZone: zone(random) } },
    ]),
  serverGroup: (random) => random.pick([{ id: random.word() }, { filter: { name: random.word() } }]),
  identityRef: (random) => ({ type: 'Secret', name: random.word(), cloudName: random.word() }),
  floatingIPPoolRef: never,
  schedulerHintAdditionalProperties: never,
};

export const openstack: PlatformCase = {
  name: 'OpenStack',
  facts: factsWith('OpenStackCluster', {}),
  providerSpec: {
    base: {
      apiVersion: 'machine.openshift.io/v1alpha1',
      kind: 'OpenstackProviderSpec',
      cloudsSecret: { name: 'openstack-cloud-credentials', namespace: 'openshift-machine-api' },
      cloudName: 'openstack',
      flavor: 'm1.large',
      image: 'rhcos',
      networks: [{ filter: { name: 'nodes' }, subnets: [{ filter: { name: 'nodes' } }] }],
      ports: [{ networkID: storage, fixedIPs: [{ subnetID: storage }] }],
      securityGroups: [{ filter: { name: 'workers' } }],
      additionalBlockDevices: [{ name: 'etcd', sizeGiB: 10, storage: { type: 'Volume', volume: {} } }],
      rootVolume: { diskSize: 30 },
    },
    hints: providerHints,
  },
  infraSpec: {
    base: {
      flavor: 'm1.large',
      image: { filter: { name: 'rhcos' } },
      ports: [{ network: { id: storage }, fixedIPs: [{ subnet: { id: storage } }] }],
      securityGroups: [{ filter: { name: 'workers' } }],
      identityRef: { type: 'Secret', name: 'openstack-cloud-credentials', cloudName: 'openstack' },
      additionalBlockDevices: [{ name: 'etcd', sizeGiB: 10, storage: { type: 'Volume', volume: {} } }],
      rootVolume: { sizeGiB: 30 },
    },
    hints: infraHints,
  },
};
