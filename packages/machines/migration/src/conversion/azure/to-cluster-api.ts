import type { AzureMachineProviderSpec } from '@hypershift-ts/machines-machine-api';
import type { azurev1beta1 } from '@hypershift-ts/machines-providers';
import type { Draft } from '../../wire/draft.ts';
import { mustBeDefaultCredentials, mustBeInMachineApi, mustMatch } from '../cluster-settings.ts';
import { infraConditions, infraStatus, statusText } from '../instance-status.ts';
import type { InfraParts, MachineApiSource, ToClusterApi } from '../platform-conversion.ts';
import { dataDisksToClusterApi, osDiskToClusterApi } from './disks.ts';
import { checkLoadBalancers } from './load-balancers.ts';
import { homeOf, identityToClusterApi, imageToClusterApi } from './resource-ids.ts';
import { securityProfileToClusterApi } from './security-profile.ts';

type Spec = AzureMachineProviderSpec;
type AzureMachineSpec = azurev1beta1.AzureMachineSpec;
type Input = ToClusterApi<Spec, azurev1beta1.AzureCluster>;

export const defaultCredentials = 'azure-cloud-credentials';

/** An AzureMachineProviderSpec as an AzureMachine. */
export function azureToClusterApi(input: Input): InfraParts<Draft<AzureMachineSpec>> {
  const { spec, machine, cluster, facts, findings, path } = input;
  refuse(input);
  checkLoadBalancers(input);
  const { managedIdentity } = spec;
  const identity = managedIdentity
    ? identityToClusterApi(
        managedIdentity,
        homeOf(facts, cluster),
        spec.resourceGroup,
        `${path}.managedIdentity`,
        findings,
      )
    : undefined;
  return {
    spec: {
      providerID: machine.spec.providerID || undefined,
      vmSize: spec.vmSize ?? '',
      image: image(input),
      identity: identity ? 'UserAssigned' : 'None',
      userAssignedIdentities: identity ? [{ providerID: identity }] : undefined,
      osDisk: osDiskToClusterApi(spec.osDisk, `${path}.osDisk`, findings),
      dataDisks: dataDisksToClusterApi(spec.dataDisks, `${path}.dataDisks`, findings),
      sshPublicKey: spec.sshPublicKey,
      additionalTags: spec.tags,
      additionalCapabilities: ultraDisks(input),
      allocatePublicIP: spec.publicIP,
      diagnostics: { boot: bootDiagnostics(input) },
      spotVMOptions: spec.spotVMOptions,
      securityProfile: securityProfileToClusterApi(spec.securityProfile, `${path}.securityProfile`, findings),
      // Extensions would need an agent that the operating system of OpenShift does not have.
      disableExtensionOperations: true,
      networkInterfaces: [
        { subnetName: spec.subnet, privateIPConfigs: 1, acceleratedNetworking: spec.acceleratedNetworking ?? false },
      ],
      capacityReservationGroupID: spec.capacityReservationGroupID || undefined,
    },
    status: azureStatus(machine, facts.now),
    failureDomain: spec.zone,
    userDataSecret: spec.userDataSecret?.name,
  };
}

function refuse({ spec, cluster, findings, path }: Input): void {
  findings.unsupported(path, spec, {
    metadata: 'metadata is not supported',
    securityGroup: 'securityGroup is not supported',
    applicationSecurityGroups: 'applicationSecurityGroups are not supported',
    availabilitySet: 'availabilitySet is not supported',
  });
  if (spec.natRule !== undefined) findings.invalid(`${path}.natRule`, spec.natRule, 'natRule is not supported');
  mustBeInMachineApi(`${path}.userDataSecret`, spec.userDataSecret, findings);
  mustBeDefaultCredentials(`${path}.credentialsSecret`, spec.credentialsSecret, defaultCredentials, findings);
  if (!cluster) return;
  const { location, resourceGroup, networkSpec } = cluster.spec;
  const same = (field: keyof Spec, value: string | undefined, name: string, expected: string | undefined) =>
    mustMatch(`${path}.${field}`, value, { name: `${name} of AzureCluster`, value: expected }, findings);
  same('location', spec.location, 'location', location);
  same('resourceGroup', spec.resourceGroup, 'resourceGroup', resourceGroup);
  same('vnet', spec.vnet, 'networkSpec.vnet.name', networkSpec?.vnet?.name);
  same(
    'networkResourceGroup',
    spec.networkResourceGroup,
    'networkSpec.vnet.resourceGroup',
    networkSpec?.vnet?.resourceGroup,
  );
}

function image({ spec, cluster, facts, findings, path }: Input): Draft<AzureMachineSpec['image']> {
  const { resourceID, publisher, offer, sku, version, type } = spec.image;
  if (resourceID && (publisher || offer || sku || version || type))
    findings.invalid(`${path}.image`, spec.image, 'resourceID cannot be combined with an image of the marketplace');
  findings.oneOf(`${path}.image.type`, type, ['MarketplaceWithPlan', 'MarketplaceNoPlan']);
  if (resourceID)
    return { id: imageToClusterApi(resourceID, homeOf(facts, cluster), `${path}.image.resourceID`, findings) };
  if (publisher || offer || sku || version)
    return { marketplace: { publisher, offer, sku, version, thirdPartyImage: type === 'MarketplaceWithPlan' } };
  findings.required(`${path}.image`, 'an image must be given by resourceID or by publisher, offer, sku and version');
  return {};
}

function ultraDisks({
  spec: { ultraSSDCapability },
  findings,
  path,
}: Input): AzureMachineSpec['additionalCapabilities'] {
  if (!ultraSSDCapability) return undefined;
  findings.oneOf(`${path}.ultraSSDCapability`, ultraSSDCapability, ['Enabled', 'Disabled']);
  return { ultraSSDEnabled: ultraSSDCapability === 'Enabled' };
}

/** Cluster API turns diagnostics on where nothing is said, the Machine API off: so it is always said. */
function bootDiagnostics({ spec, findings, path }: Input): Draft<azurev1beta1.AzureMachineSpecDiagnosticsBoot> {
  const boot = spec.diagnostics?.boot;
  const type: string | undefined = boot?.storageAccountType;
  switch (type) {
    case undefined:
      return { storageAccountType: 'Disabled' };
    case 'AzureManaged':
      return { storageAccountType: 'Managed' };
    case 'CustomerManaged':
      return {
        storageAccountType: 'UserManaged',
        userManaged: { storageAccountURI: boot?.customerManaged?.storageAccountURI ?? '' },
      };
    default:
      findings.invalid(
        `${path}.diagnostics.boot.storageAccountType`,
        type,
        'unable to convert storageAccountType, unknown value',
      );
      return { storageAccountType: 'Disabled' };
  }
}

function azureStatus({ status }: MachineApiSource, now: string): azurev1beta1.AzureMachineStatus {
  const vmState = statusText(status?.providerStatus, 'vmState');
  const ready = vmState === 'Succeeded';
  return {
    ...infraStatus(status, ready),
    ...(vmState ? { vmState } : {}),
    conditions: infraConditions(['Ready', 'VMRunning'], ready, now),
  };
}
