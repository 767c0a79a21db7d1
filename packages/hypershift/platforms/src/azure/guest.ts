import { type GuestSecret, guestSide } from '../guest.ts';
import { settingsOf } from '../shared/settings.ts';

/** Operators of the hosted cluster that reach Azure with an identity, and where they look for it. */
const operands = [
  ['disk', 'openshift-cluster-csi-drivers', 'azure-disk-credentials', undefined],
  ['file', 'openshift-cluster-csi-drivers', 'azure-file-credentials', undefined],
  ['imageRegistry', 'openshift-image-registry', 'installer-cloud-credentials', 'ImageRegistry'],
  ['ingress', 'openshift-ingress-operator', 'cloud-credentials', 'Ingress'],
] as const;

export const azureGuest = guestSide({
  infrastructureSpec: () => ({ cloudConfig: { name: 'cloud.conf' } }),
  platformStatus: ({ spec }) => {
    const { cloud, resourceGroup } = settingsOf(spec.platform, 'azure');
    return { azure: { cloudName: cloud || 'AzurePublicCloud', resourceGroupName: resourceGroup } };
  },
  isPrivate: ({ spec }) => (settingsOf(spec.platform, 'azure').topology ?? 'Public') !== 'Public',
  noProxy: () => ['169.254.169.254'],
  credentials: ({ hcp: { metadata, spec } }) => {
    const azure = settingsOf(spec.platform, 'azure');
    const identities = azure.azureAuthenticationConfig.workloadIdentities as
      | { readonly [operand: string]: { readonly clientID?: string } | undefined }
      | undefined;
    const data = {
      azure_federated_token_file: '/var/run/secrets/openshift/serviceaccount/token',
      azure_region: azure.location,
      azure_resource_prefix: `${metadata.name}-${spec.infraID}`,
      azure_resourcegroup: azure.resourceGroup,
      azure_subscription_id: azure.subscriptionID,
      azure_tenant_id: azure.tenantID,
    };
    return operands.flatMap(([operand, namespace, name, capability]): readonly GuestSecret[] => {
      const azure_client_id = identities?.[operand]?.clientID;
      if (!azure_client_id) return [];
      return [{ namespace, name, data: { ...data, azure_client_id }, ...(capability ? { capability } : {}) }];
    });
  },
  cloudConfig: { from: 'azure-cloud-config', keys: { 'cloud.conf': 'config' } },
  csiDrivers: ['disk.csi.azure.com', 'file.csi.azure.com'],
  syncsPullSecrets: true,
});
