import type { AzureMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { azurev1beta1 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import { creationCondition } from '../instance-status.ts';
import { machineApiNamespace } from '../names.ts';
import type { ProviderParts, ToMachineApi } from '../platform-conversion.ts';
import { dataDisksToMachineApi, osDiskToMachineApi } from './disks.ts';
import { loadBalancersToMachineApi } from './load-balancers.ts';
import { homeOf, identityToMachineApi, imageToMachineApi } from './resource-ids.ts';
import { securityProfileToMachineApi } from './security-profile.ts';
import { defaultCredentials } from './to-cluster-api.ts';

type AzureMachineSpec = azurev1beta1.AzureMachineSpec;
type Input = ToMachineApi<AzureMachineSpec, azurev1beta1.AzureCluster>;
type Output = Omit<Draft<AzureMachineProviderSpec>, 'apiVersion' | 'kind'>;

/** An AzureMachine as an AzureMachineProviderSpec. */
export function azureToMachineApi(input: Input): ProviderParts<Output> {
  const { spec, machine, cluster, facts, findings, path } = input;
  refuse(input);
  const status = input.status as azurev1beta1.AzureMachineStatus | undefined;
  const { location, resourceGroup, networkSpec } = cluster?.spec ?? {};
  const zone = machine.spec.failureDomain ?? spec.failureDomain;
  const userData = machine.spec.bootstrap.dataSecretName;
  const [nic] = spec.networkInterfaces ?? [];
  const ultra = spec.additionalCapabilities?.ultraSSDEnabled;
  return {
    spec: {
      userDataSecret: userData ? { name: userData } : undefined,
      credentialsSecret: { name: defaultCredentials, namespace: machineApiNamespace },
      location,
      vmSize: spec.vmSize,
      image: image(input),
      osDisk: osDiskToMachineApi(spec.osDisk, `${path}.osDisk`, findings),
      dataDisks: dataDisksToMachineApi(spec.dataDisks, `${path}.dataDisks`, findings),
      sshPublicKey: spec.sshPublicKey,
      publicIP: spec.allocatePublicIP,
      tags: spec.additionalTags,
      // Fields that are older than networkInterfaces still count where that is not set.
      subnet: nic?.subnetName ?? spec.subnetName,
      acceleratedNetworking: nic?.acceleratedNetworking ?? spec.acceleratedNetworking,
      ...loadBalancersToMachineApi(input),
      managedIdentity: identity(input),
      vnet: networkSpec?.vnet?.name,
      zone,
      networkResourceGroup: networkSpec?.vnet?.resourceGroup,
      resourceGroup,
      spotVMOptions: spec.spotVMOptions && { maxPrice: spec.spotVMOptions.maxPrice },
      securityProfile: securityProfileToMachineApi(spec.securityProfile, `${path}.securityProfile`, findings),
      ultraSSDCapability: ultra === undefined ? undefined : ultra ? 'Enabled' : 'Disabled',
      diagnostics: { boot: bootDiagnostics(input) },
      capacityReservationGroupID: spec.capacityReservationGroupID,
    },
    status: {
      ...(machine.spec.providerID ? { vmId: machine.spec.providerID.replace(/^azure:\/\//, '') } : {}),
      ...(status?.vmState ? { vmState: status.vmState } : {}),
      conditions: [creationCondition('MachineCreated', status?.ready, 'AzureMachine', facts.now)],
    },
    instanceType: spec.vmSize,
    region: location,
    zone,
    instanceState: status?.vmState,
  };
}

function refuse({ spec, machine, findings, path }: Input): void {
  findings.unsupported(path, spec, {
    dnsServers: 'dnsServers are not supported',
    vmExtensions: 'vmExtensions are not supported',
    enableIPForwarding: 'enableIPForwarding is not supported',
    disableVMBootstrapExtension: 'disableVMBootstrapExtension is not supported',
    systemAssignedIdentityRole: 'systemAssignedIdentityRole is not supported',
    roleAssignmentName: 'roleAssignmentName is not supported',
  });
  if (spec.disableExtensionOperations === false)
    findings.invalid(`${path}.disableExtensionOperations`, false, 'MAPI never runs extensions');
  if (spec.spotVMOptions?.evictionPolicy)
    findings.invalid(
      `${path}.spotVMOptions.evictionPolicy`,
      spec.spotVMOptions.evictionPolicy,
      'evictionPolicy is not supported',
    );
  const { failureDomain } = machine.spec;
  if (spec.failureDomain && failureDomain && spec.failureDomain !== failureDomain)
    findings.invalid(
      `${path}.failureDomain`,
      spec.failureDomain,
      `must match ${JSON.stringify(failureDomain)} of the Machine`,
    );
  const interfaces = spec.networkInterfaces ?? [];
  for (const name of ['subnetName', 'acceleratedNetworking'] as const)
    if (interfaces.length > 0 && spec[name] !== undefined)
      findings.invalid(`${path}.${name}`, spec[name], `${name} cannot be combined with networkInterfaces`);
  if (interfaces.length > 1)
    findings.invalid(`${path}.networkInterfaces`, interfaces, 'more than one network interface is not supported');
  if ((interfaces[0]?.privateIPConfigs ?? 0) > 1)
    findings.invalid(
      `${path}.networkInterfaces[0].privateIPConfigs`,
      interfaces[0]?.privateIPConfigs,
      'privateIPConfigs values other than 1 are not supported',
    );
}

function image({ spec, cluster, facts, findings, path }: Input): Output['image'] {
  const { id, marketplace, sharedGallery, computeGallery } = spec.image ?? {};
  if (sharedGallery) findings.invalid(`${path}.image.sharedGallery`, sharedGallery, 'sharedGallery is not supported');
  if (computeGallery)
    findings.invalid(`${path}.image.computeGallery`, computeGallery, 'computeGallery is not supported');
  if (id && marketplace)
    findings.invalid(`${path}.image`, spec.image, 'id cannot be combined with an image of the marketplace');
  if (id && !id.startsWith('/subscriptions/'))
    findings.invalid(`${path}.image.id`, id, 'must start with "/subscriptions/"');
  const none = { publisher: '', offer: '', sku: '', version: '', resourceID: '' };
  if (id) return { ...none, resourceID: imageToMachineApi(id, homeOf(facts, cluster)) };
  if (marketplace) {
    const { thirdPartyImage, ...published } = marketplace;
    return { ...none, ...published, type: thirdPartyImage ? 'MarketplaceWithPlan' : 'MarketplaceNoPlan' };
  }
  if (!sharedGallery && !computeGallery)
    findings.required(`${path}.image`, 'MAPI needs an image by id or from the marketplace');
  return none;
}

function identity({ spec, cluster, facts, findings, path }: Input): string | undefined {
  const [first, ...others] = spec.userAssignedIdentities ?? [];
  if (spec.identity === 'SystemAssigned')
    findings.invalid(`${path}.identity`, spec.identity, 'SystemAssigned identities are not supported');
  else if (spec.identity === 'UserAssigned' && !first)
    findings.required(`${path}.userAssignedIdentities`, 'a UserAssigned identity must be named');
  findings.oneOf(`${path}.identity`, spec.identity, ['None', 'SystemAssigned', 'UserAssigned']);
  if (first && spec.identity !== 'UserAssigned')
    findings.invalid(`${path}.userAssignedIdentities`, spec.userAssignedIdentities, 'identity must be UserAssigned');
  if (others.length > 0)
    findings.invalid(
      `${path}.userAssignedIdentities`,
      spec.userAssignedIdentities,
      'more than one identity is not supported',
    );
  return first && identityToMachineApi(first.providerID, homeOf(facts, cluster));
}

/** What nobody says means managed diagnostics in Cluster API. */
function bootDiagnostics({ spec, findings, path }: Input): NonNullable<Output['diagnostics']>['boot'] {
  const { storageAccountType = 'Managed', userManaged } = spec.diagnostics?.boot ?? {};
  findings.oneOf(`${path}.diagnostics.boot.storageAccountType`, storageAccountType, [
    'Managed',
    'UserManaged',
    'Disabled',
  ]);
  switch (storageAccountType) {
    case 'Disabled':
      return undefined;
    case 'UserManaged':
      return {
        storageAccountType: 'CustomerManaged',
        customerManaged: { storageAccountURI: userManaged?.storageAccountURI },
      };
    default:
      return { storageAccountType: 'AzureManaged' };
  }
}
