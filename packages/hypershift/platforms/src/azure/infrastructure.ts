import type { Infrastructure, InfraScope } from '../platform.ts';
import { readyInfraCluster } from '../shared/infra-object.ts';
import { infraIDOf, settingsOf } from '../shared/settings.ts';
import {
  controlPlaneIdentitiesOf,
  managedCertificates,
  parseNetworkID,
  providerCloud,
  requireWorkloadIdentities,
} from './identity.ts';

const apiVersion = 'infrastructure.cluster.x-k8s.io/v1beta1';

/** How the provider logs in: with a certificate from a vault on ARO, with a token of the cluster otherwise. */
function identitySpec({ cluster, namespace, managedAzure }: InfraScope): object {
  const settings = settingsOf(cluster.spec.platform, 'azure');
  const allowedNamespaces = { list: [namespace] };
  if (managedAzure) {
    const { credentialsSecretName } = controlPlaneIdentitiesOf(settings).nodePoolManagement;
    return {
      type: 'UserAssignedIdentityCredential',
      tenantID: settings.tenantID,
      userAssignedIdentityCredentialsCloudType: providerCloud(settings.cloud ?? 'AzurePublicCloud'),
      userAssignedIdentityCredentialsPath: `${managedCertificates}/${credentialsSecretName}`,
      allowedNamespaces,
    };
  }
  return {
    type: 'WorkloadIdentity',
    tenantID: settings.tenantID,
    clientID: requireWorkloadIdentities(settings).nodePoolManagement.clientID,
    allowedNamespaces,
  };
}

export function azureInfrastructure(scope: InfraScope): Infrastructure {
  const { cluster, namespace, endpoint } = scope;
  const settings = settingsOf(cluster.spec.platform, 'azure');
  const vnet = parseNetworkID(settings.vnetID, 'spec.platform.azure.vnetID');
  const infraID = infraIDOf(cluster);
  const name = cluster.metadata.name ?? '';
  return {
    before: [{ apiVersion, kind: 'AzureClusterIdentity', metadata: { name, namespace }, spec: identitySpec(scope) }],
    cluster: readyInfraCluster(
      apiVersion,
      'AzureCluster',
      { name, namespace },
      {
        location: settings.location,
        resourceGroup: settings.resourceGroup,
        subscriptionID: settings.subscriptionID,
        networkSpec: {
          vnet: { id: settings.vnetID, name: vnet.name, resourceGroup: vnet.resourceGroup },
          nodeOutboundLB: { name: infraID, backendPool: { name: infraID } },
        },
        controlPlaneEndpoint: endpoint,
        identityRef: { name, namespace },
      },
    ),
  };
}
