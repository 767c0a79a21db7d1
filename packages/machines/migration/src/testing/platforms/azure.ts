import type { Hints } from '../arbitrary.ts';
import type { Random } from '../random.ts';
import { factsWith, never, type PlatformCase } from './platform-case.ts';

const subscription = '00000000-1111-2222-3333-444444444444';
const oldUefi = (random: Random) => ({
  uefiSettings: {
    secureBoot: random.pick(['Enabled', 'Disabled']),
    virtualizedTrustedPlatformModule: random.pick(['Enabled', 'Disabled']),
  },
});
const newUefi = (random: Random) => ({ secureBootEnabled: random.boolean(), vTpmEnabled: random.boolean() });
const published = (random: Random) => ({
  publisher: random.word(),
  offer: random.word(),
  sku: random.word(),
  version: random.word(),
});
const price = (random: Random) => random.pick([{ maxPrice: '500m' }, { maxPrice: 2 }, {}]);

const providerHints: Hints = {
  apiVersion: () => 'machine.openshift.io/v1beta1',
  kind: () => 'AzureMachineProviderSpec',
  metadata: never,
  userDataSecret: (random) => ({ name: random.word() }),
  credentialsSecret: () => ({ name: 'azure-cloud-credentials', namespace: 'openshift-machine-api' }),
  location: () => 'westeurope',
  image: (random) =>
    random.boolean()
      ? { resourceID: `/resourceGroups/${random.word()}/providers/Microsoft.Compute/images/${random.word()}` }
      : { ...published(random), type: random.pick(['MarketplaceWithPlan', 'MarketplaceNoPlan']) },
  osDisk: (random) => ({
    osType: 'Linux',
    diskSizeGB: random.below(1000),
    cachingType: random.pick(['None', 'ReadOnly', 'ReadWrite']),
    diskSettings: random.pick([{}, { ephemeralStorageLocation: 'Local' }]),
    managedDisk: {
      storageAccountType: random.word(),
      ...(random.boolean() ? { diskEncryptionSet: { id: random.word() } } : {}),
      securityProfile: random.pick([
        {},
        { diskEncryptionSet: { id: random.word() } },
        { securityEncryptionType: 'VMGuestStateOnly' },
      ]),
    },
  }),
  'dataDisks[].deletionPolicy': () => 'Delete',
  securityGroup: never,
  applicationSecurityGroups: never,
  publicLoadBalancer: () => 'prod-x7k2p',
  internalLoadBalancer: never,
  natRule: never,
  managedIdentity: (random) =>
    random.pick([
      random.word(),
      `/subscriptions/${random.word()}/resourcegroups/other/providers/Microsoft.ManagedIdentity/userAssignedIdentities/x`,
    ]),
  vnet: () => 'nodes',
  networkResourceGroup: () => 'network-rg',
  resourceGroup: () => 'prod-rg',
  spotVMOptions: price,
  securityProfile: (random) => ({
    ...(random.boolean() ? { encryptionAtHost: random.boolean() } : {}),
    settings: random.pick([
      {},
      { securityType: 'ConfidentialVM', confidentialVM: oldUefi(random) },
      { securityType: 'TrustedLaunch', trustedLaunch: oldUefi(random) },
    ]),
  }),
  ultraSSDCapability: (random) => random.pick(['Enabled', 'Disabled']),
  availabilitySet: never,
  diagnostics: (random) =>
    random.pick([
      {},
      { boot: { storageAccountType: 'AzureManaged' } },
      {
        boot: { storageAccountType: 'CustomerManaged', customerManaged: { storageAccountURI: 'https://example.com' } },
      },
    ]),
};

const infraHints: Hints = {
  providerID: never,
  failureDomain: never,
  image: (random) =>
    random.boolean()
      ? { id: `/subscriptions/${random.pick([subscription, random.word()])}/resourceGroups/x` }
      : { marketplace: { ...published(random), thirdPartyImage: random.boolean() } },
  identity: () => 'None',
  userAssignedIdentities: never,
  systemAssignedIdentityRole: never,
  roleAssignmentName: never,
  osDisk: (random) => ({
    osType: 'Linux',
    ...(random.boolean() ? { diskSizeGB: 1 + random.below(1000) } : {}),
    managedDisk: { storageAccountType: random.word(), diskEncryptionSet: { id: random.word() } },
    ...(random.boolean() ? { diffDiskSettings: { option: 'Local' } } : {}),
    cachingType: random.pick(['None', 'ReadOnly', 'ReadWrite']),
  }),
  'dataDisks[]': (random) => ({
    nameSuffix: random.word(),
    diskSizeGB: 1 + random.below(1000),
    managedDisk: { storageAccountType: random.word() },
    lun: random.below(9),
    ...(random.boolean() ? { cachingType: 'ReadOnly' } : {}),
  }),
  additionalCapabilities: (random) => ({ ultraSSDEnabled: random.boolean() }),
  enableIPForwarding: never,
  acceleratedNetworking: never,
  diagnostics: (random) =>
    random.pick([
      { boot: { storageAccountType: 'Disabled' } },
      { boot: { storageAccountType: 'Managed' } },
      { boot: { storageAccountType: 'UserManaged', userManaged: { storageAccountURI: 'https://example.com' } } },
    ]),
  spotVMOptions: price,
  securityProfile: (random) => ({
    ...(random.boolean() ? { encryptionAtHost: random.boolean() } : {}),
    ...random.pick([
      {},
      { securityType: 'ConfidentialVM', uefiSettings: newUefi(random) },
      { securityType: 'TrustedLaunch', uefiSettings: newUefi(random) },
    ]),
  }),
  subnetName: never,
  dnsServers: never,
  disableExtensionOperations: () => true,
  disableVMBootstrapExtension: never,
  vmExtensions: never,
  networkInterfaces: (random) => [
    { subnetName: random.word(), privateIPConfigs: 1, acceleratedNetworking: random.boolean() },
  ],
};

export const azure: PlatformCase = {
  name: 'Azure',
  facts: factsWith(
    'AzureCluster',
    {
      location: 'westeurope',
      resourceGroup: 'prod-rg',
      networkSpec: { vnet: { name: 'nodes', resourceGroup: 'network-rg' }, nodeOutboundLB: { name: 'prod-x7k2p' } },
    },
    { azureSubscriptionID: subscription },
  ),
  providerSpec: {
    base: {
      apiVersion: 'machine.openshift.io/v1beta1',
      kind: 'AzureMachineProviderSpec',
      credentialsSecret: { name: 'azure-cloud-credentials', namespace: 'openshift-machine-api' },
      location: 'westeurope',
      resourceGroup: 'prod-rg',
      networkResourceGroup: 'network-rg',
      vnet: 'nodes',
      publicLoadBalancer: 'prod-x7k2p',
      subnet: 'workers',
      image: { resourceID: '/resourceGroups/x/providers/Microsoft.Compute/images/y' },
      osDisk: { osType: 'Linux', diskSizeGB: 128, cachingType: 'ReadOnly', managedDisk: {} },
      dataDisks: [{ nameSuffix: 'data', diskSizeGB: 10, deletionPolicy: 'Delete' }],
      securityProfile: { settings: { securityType: 'TrustedLaunch', trustedLaunch: {} } },
      diagnostics: {
        boot: { storageAccountType: 'CustomerManaged', customerManaged: { storageAccountURI: 'https://a' } },
      },
    },
    hints: providerHints,
  },
  infraSpec: {
    base: {
      vmSize: 'Standard_D4s_v5',
      image: { id: `/subscriptions/${subscription}/resourceGroups/x` },
      identity: 'None',
      osDisk: { osType: 'Linux', diskSizeGB: 128, cachingType: 'ReadOnly', managedDisk: {} },
      dataDisks: [{ nameSuffix: 'data', diskSizeGB: 10, lun: 0, managedDisk: {} }],
      diagnostics: { boot: { storageAccountType: 'UserManaged', userManaged: { storageAccountURI: 'https://a' } } },
      securityProfile: { securityType: 'TrustedLaunch' },
      disableExtensionOperations: true,
      networkInterfaces: [{ subnetName: 'workers', privateIPConfigs: 1, acceleratedNetworking: true }],
    },
    hints: infraHints,
  },
  variants: [
    {},
    {
      identity: 'UserAssigned',
      userAssignedIdentities: [
        {
          providerID: `azure:///subscriptions/${subscription}/resourcegroups/prod-rg/providers/Microsoft.ManagedIdentity/userAssignedIdentities/nodes`,
        },
      ],
    },
  ],
};
