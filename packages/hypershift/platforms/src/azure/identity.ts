import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import { PlatformError } from '../errors.ts';

export type AzureSettings = NonNullable<HostedCluster['spec']['platform']['azure']>;

/** Where the secrets store driver puts credentials of managed identities. */
export const managedCertificates = '/mnt/certs';

/** The workload identities of a cluster people manage themselves, or undefined on ARO. */
export function workloadIdentitiesOf({ azureAuthenticationConfig }: AzureSettings) {
  return azureAuthenticationConfig.azureAuthenticationConfigType === 'WorkloadIdentities'
    ? azureAuthenticationConfig.workloadIdentities
    : undefined;
}

/** The identities of the control plane of an ARO cluster, or an error that names the field. */
export function controlPlaneIdentitiesOf({ azureAuthenticationConfig }: AzureSettings) {
  const identities = azureAuthenticationConfig.managedIdentities?.controlPlane;
  if (identities) return identities;
  const field = 'spec.platform.azure.azureAuthenticationConfig.managedIdentities';
  throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
    message: 'managed identities must be set in the Azure platform spec for managed Azure deployments',
    fix: `set ${field}`,
    field,
  });
}

/** The workload identities, or an error that names the field. */
export function requireWorkloadIdentities(settings: AzureSettings) {
  const identities = workloadIdentitiesOf(settings);
  if (identities) return identities;
  const field = 'spec.platform.azure.azureAuthenticationConfig.workloadIdentities';
  throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
    message: 'WorkloadIdentities must be set in the Azure platform spec for non-managed Azure deployments',
    fix: `set ${field}`,
    field,
  });
}

const idPattern =
  /^\/subscriptions\/[^/]+\/resourceGroups\/([^/]+)\/providers\/Microsoft\.Network\/([^/]+)\/([^/]+)(?:\/subnets\/([^/]+))?$/i;

/** Resource group and name out of the ID of a virtual network, network security group or subnet. */
export function parseNetworkID(
  id: string,
  field: string,
): { readonly resourceGroup: string; readonly name: string; readonly subnet: string | undefined } {
  const [, resourceGroup, , name, subnet] = idPattern.exec(id) ?? [];
  if (resourceGroup && name) return { resourceGroup, name, subnet };
  throw new PlatformError('PLATFORM_SETTING_INVALID', {
    message: `${field} is not the resource ID of a network resource: ${id}`,
    fix: 'use /subscriptions/<subscription>/resourceGroups/<group>/providers/Microsoft.Network/<type>/<name>',
    field,
  });
}

const clouds = new Map([
  ['azurepubliccloud', 'public'],
  ['azureusgovernmentcloud', 'usgovernment'],
  ['azurechinacloud', 'china'],
]);

/** The cloud as the Cluster API provider names it; it knows fewer than the API accepts. */
export function providerCloud(cloud: string): string {
  const known = clouds.get(cloud.trim().toLowerCase());
  if (known) return known;
  throw new PlatformError('PLATFORM_SETTING_INVALID', {
    message: `unsupported cloud type: ${cloud}`,
    fix: 'use AzurePublicCloud, AzureUSGovernmentCloud or AzureChinaCloud',
    field: 'spec.platform.azure.cloud',
  });
}
