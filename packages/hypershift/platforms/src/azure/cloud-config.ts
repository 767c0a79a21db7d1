import { annotations, type HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { CloudProviderConfig } from '../platform.ts';
import { healthProbe } from '../shared/health-probe.ts';
import { tokenFile } from '../shared/provider-pod.ts';
import { settingsOf } from '../shared/settings.ts';
import { controlPlaneIdentitiesOf, managedCertificates, parseNetworkID, workloadIdentitiesOf } from './identity.ts';

export const azureConfigKey = 'cloud.conf';

/** Every key the Azure cloud provider is given, in order, with what stands there unless said otherwise. */
const defaults = {
  cloud: '',
  tenantId: '',
  useManagedIdentityExtension: false,
  useFederatedWorkloadIdentityExtension: false,
  subscriptionId: '',
  aadClientId: '',
  aadClientSecret: '',
  aadClientCertPath: '',
  aadFederatedTokenFile: '',
  aadMSIDataPlaneIdentityPath: '',
  resourceGroup: '',
  location: '',
  vnetName: '',
  vnetResourceGroup: '',
  subnetName: '',
  securityGroupName: '',
  securityGroupResourceGroup: '',
  routeTableName: '',
  cloudProviderBackoff: true,
  cloudProviderBackoffDuration: 6,
  useInstanceMetadata: false,
  loadBalancerSku: 'standard',
  disableOutboundSNAT: true,
  loadBalancerName: '',
  clusterServiceLoadBalancerHealthProbeMode: '',
};

type Optional = {
  readonly clusterServiceSharedLoadBalancerHealthProbePath?: string;
  readonly clusterServiceSharedLoadBalancerHealthProbePort?: number;
  readonly userAssignedIdentityID?: string;
  readonly useWorkloadIdentityExtension?: boolean;
};

/** A configuration file of the Azure cloud provider. */
export function azureConfig(values: Partial<typeof defaults> & Optional): string {
  return JSON.stringify({ ...defaults, ...values }, undefined, 2);
}

/** One file for the hosted cluster, without credentials, and one for the cloud controller manager. */
export function azureCloudConfigs(hcp: HostedControlPlane): readonly CloudProviderConfig[] {
  const settings = settingsOf(hcp.spec.platform, 'azure');
  const vnet = parseNetworkID(settings.vnetID, 'spec.platform.azure.vnetID');
  const group = parseNetworkID(settings.securityGroupID, 'spec.platform.azure.securityGroupID');
  const subnet = parseNetworkID(settings.subnetID, 'spec.platform.azure.subnetID').subnet ?? '';
  const probe = healthProbe(hcp, {
    annotation: annotations.azureLoadBalancerHealthProbeMode.key,
    shared: 'shared',
    nodePort: 'servicenodeport',
  });
  const identities = workloadIdentitiesOf(settings);
  const registryIdentity = settings.containerRegistry?.credentials.managedIdentity?.resourceID;
  const common = {
    cloud: settings.cloud ?? 'AzurePublicCloud',
    tenantId: settings.tenantID,
    subscriptionId: settings.subscriptionID,
    resourceGroup: settings.resourceGroup,
    location: settings.location,
    vnetName: vnet.name,
    vnetResourceGroup: vnet.resourceGroup,
    subnetName: subnet,
    securityGroupName: group.name,
    securityGroupResourceGroup: group.resourceGroup,
    loadBalancerName: hcp.spec.infraID,
    useInstanceMetadata: true,
    clusterServiceLoadBalancerHealthProbeMode: probe.mode,
    ...(probe.path === undefined ? {} : { clusterServiceSharedLoadBalancerHealthProbePath: probe.path }),
    ...(probe.port === undefined ? {} : { clusterServiceSharedLoadBalancerHealthProbePort: probe.port }),
    ...(identities
      ? {
          useFederatedWorkloadIdentityExtension: true,
          aadClientId: identities.cloudProvider.clientID,
          aadFederatedTokenFile: tokenFile,
        }
      : { useManagedIdentityExtension: true }),
  };
  const withCredentials = identities
    ? {}
    : {
        aadMSIDataPlaneIdentityPath: `${managedCertificates}/${controlPlaneIdentitiesOf(settings).cloudProvider.credentialsSecretName}`,
        useManagedIdentityExtension: false,
        useInstanceMetadata: false,
      };
  return [
    {
      name: 'azure-cloud-config',
      kind: 'ConfigMap',
      data: {
        [azureConfigKey]: azureConfig({
          ...common,
          ...(registryIdentity ? { userAssignedIdentityID: registryIdentity } : {}),
        }),
      },
    },
    {
      name: 'azure-cloud-config',
      kind: 'Secret',
      data: { [azureConfigKey]: azureConfig({ ...common, ...withCredentials }) },
    },
  ];
}
