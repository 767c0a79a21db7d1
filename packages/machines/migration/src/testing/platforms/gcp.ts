import type { Hints } from '../arbitrary.ts';
import type { Random } from '../random.ts';
import { factsWith, never, type PlatformCase } from './platform-case.ts';

const shielded = (random: Random) => ({
  secureBoot: random.pick(['Enabled', 'Disabled']),
  virtualizedTrustedPlatformModule: random.pick(['Enabled', 'Disabled']),
});
const account = (random: Random) => ({ email: random.word(), scopes: [random.word()] });
const metadata = (random: Random) =>
  random.pick([{ key: random.word() }, { key: random.word(), value: random.word() }]);

const oldKey = (random: Random) =>
  random.boolean()
    ? {
        encryptionKey: {
          kmsKey: { name: random.word(), keyRing: random.word(), projectID: random.word(), location: random.word() },
          ...(random.boolean() ? { kmsKeyServiceAccount: random.word() } : {}),
        },
      }
    : {};
const newKey = (random: Random) => ({
  keyType: 'Managed',
  managedKey: { kmsKeyName: 'projects/p/locations/l/keyRings/r/cryptoKeys/k' },
  ...(random.boolean() ? { kmsKeyServiceAccount: random.word() } : {}),
});

const disk = (random: Random) => ({
  autoDelete: true,
  sizeGb: 30 + random.below(100),
  type: random.word(),
  ...oldKey(random),
});

const providerHints: Hints = {
  apiVersion: () => 'machine.openshift.io/v1beta1',
  kind: () => 'GCPMachineProviderSpec',
  metadata: never,
  userDataSecret: (random) => ({ name: random.word() }),
  credentialsSecret: () => ({ name: 'gcp-cloud-credentials' }),
  deletionProtection: () => false,
  disks: (random) => [
    { boot: true, image: random.word(), ...disk(random) },
    ...random.some(() => ({ boot: false, ...disk(random) })),
  ],
  'gcpMetadata[]': metadata,
  networkInterfaces: (random) => [
    { publicIP: random.boolean(), network: 'nodes', projectID: 'host-project', subnetwork: random.word() },
  ],
  serviceAccounts: (random) => [account(random)],
  targetPools: never,
  region: () => 'us-central1',
  projectID: () => 'prod',
  provisioningModel: () => 'Spot',
  onHostMaintenance: (random) => random.pick(['Migrate', 'Terminate']),
  restartPolicy: never,
  shieldedInstanceConfig: shielded,
};

const infraHints: Hints = {
  aliasIPRanges: never,
  providerID: never,
  imageFamily: never,
  'additionalMetadata[]': metadata,
  publicIP: () => true,
  'additionalDisks[]': (random) => ({
    deviceType: random.word(),
    size: 10 + random.below(100),
    ...(random.boolean() ? { encryptionKey: newKey(random) } : {}),
  }),
  serviceAccounts: account,
  provisioningModel: () => 'Spot',
  ipForwarding: (random) => random.pick(['Enabled', 'Disabled']),
  shieldedInstanceConfig: shielded,
  onHostMaintenance: (random) => random.pick(['Migrate', 'Terminate']),
  rootDiskEncryptionKey: newKey,
  'guestAccelerators[]': () => ({ count: 2, type: 'projects/prod/zones/us-central1-a/acceleratorTypes/nvidia-l4' }),
};

export const gcp: PlatformCase = {
  name: 'GCP',
  facts: factsWith('GCPCluster', {
    region: 'us-central1',
    project: 'prod',
    network: { name: 'nodes', hostProject: 'host-project' },
  }),
  failureDomains: ['us-central1-a'],
  providerSpec: {
    base: {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'GCPMachineProviderSpec',
      credentialsSecret: { name: 'gcp-cloud-credentials' },
      disks: [
        {
          autoDelete: true,
          boot: true,
          sizeGb: 128,
          type: 'pd-ssd',
          image: 'rhcos',
          encryptionKey: { kmsKey: { name: 'n', keyRing: 'r', location: 'l', projectID: 'p' } },
        },
      ],
      networkInterfaces: [{ network: 'nodes', projectID: 'host-project', subnetwork: 'workers' }],
      serviceAccounts: [{ email: 'worker', scopes: ['all'] }],
      machineType: 'n2-standard-4',
      region: 'us-central1',
      zone: 'us-central1-a',
      projectID: 'prod',
    },
    hints: providerHints,
    samples: { restartPolicy: 'Always', provisioningModel: 'Spot' },
  },
  infraSpec: {
    base: {
      instanceType: 'n2-standard-4',
      image: 'rhcos',
      rootDeviceSize: 128,
      rootDeviceType: 'pd-ssd',
      serviceAccounts: { email: 'worker', scopes: ['all'] },
      ipForwarding: 'Disabled',
      additionalDisks: [
        {
          deviceType: 'pd-ssd',
          size: 10,
          encryptionKey: {
            keyType: 'Managed',
            managedKey: { kmsKeyName: 'projects/p/locations/l/keyRings/r/cryptoKeys/k' },
          },
        },
      ],
      rootDiskEncryptionKey: {
        keyType: 'Managed',
        managedKey: { kmsKeyName: 'projects/p/locations/l/keyRings/r/cryptoKeys/k' },
      },
    },
    hints: infraHints,
    samples: { 'guestAccelerators[].type': 'projects/prod/zones/us-central1-a/acceleratorTypes/nvidia-l4' },
  },
};
