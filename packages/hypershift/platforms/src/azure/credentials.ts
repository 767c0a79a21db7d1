import type { HostedCluster } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { PlatformError } from '../errors.ts';
import type { CredentialScope } from '../platform.ts';
import { tokenFile } from '../shared/provider-pod.ts';
import { opaqueSecret } from '../shared/secrets.ts';
import { infraIDOf, settingsOf } from '../shared/settings.ts';
import { azureConfig, azureConfigKey } from './cloud-config.ts';
import { managedCertificates, workloadIdentitiesOf } from './identity.ts';

type Capability = 'ImageRegistry' | 'Ingress';

function isEnabled({ spec }: HostedCluster, capability: Capability): boolean {
  return !spec.capabilities?.disabled?.includes(capability);
}

/** Secrets with what operators need to know about Azure; with a client ID where the cluster's own tokens are used. */
export function azureCredentials({ cluster, namespace }: CredentialScope): readonly corev1.Secret[] {
  const settings = settingsOf(cluster.spec.platform, 'azure');
  const identities = workloadIdentitiesOf(settings);
  const base = {
    azure_region: settings.location,
    azure_resource_prefix: `${cluster.metadata.name}-${infraIDOf(cluster)}`,
    azure_resourcegroup: settings.resourceGroup,
    azure_subscription_id: settings.subscriptionID,
    azure_tenant_id: settings.tenantID,
    ...(identities ? { azure_federated_token_file: tokenFile } : {}),
  };
  const secret = (name: string, clientID?: string) =>
    opaqueSecret(namespace, name, { ...base, ...(clientID ? { azure_client_id: clientID } : {}) });
  return [
    ...(identities && isEnabled(cluster, 'Ingress')
      ? [secret('azure-ingress-credentials', identities.ingress.clientID)]
      : []),
    ...(identities && isEnabled(cluster, 'ImageRegistry')
      ? [secret('azure-image-registry-credentials', identities.imageRegistry.clientID)]
      : []),
    secret('cloud-network-config-controller-creds', identities?.network.clientID),
  ];
}

/** Settings of the key provider, which uses its own identity. */
export function azureKeyService({ cluster, namespace, managedAzure }: CredentialScope): readonly corev1.Secret[] {
  const settings = settingsOf(cluster.spec.platform, 'azure');
  const kms = cluster.spec.secretEncryption?.kms?.azure;
  const vaultSecret = managedAzure ? kms?.kms?.credentialsSecretName : undefined;
  if (!vaultSecret && !kms?.workloadIdentity?.clientID)
    throw new PlatformError('PLATFORM_CREDENTIALS_INVALID', {
      message:
        'azure KMS configured but neither managed identity (kms) nor workload identity (workloadIdentity) credentials are set',
      fix: 'set spec.secretEncryption.kms.azure.kms on ARO, or workloadIdentity otherwise',
      field: 'spec.secretEncryption.kms.azure',
    });
  const config = azureConfig({
    cloud: settings.cloud ?? 'AzurePublicCloud',
    tenantId: settings.tenantID,
    subscriptionId: settings.subscriptionID,
    resourceGroup: settings.resourceGroup,
    location: settings.location,
    loadBalancerName: infraIDOf(cluster),
    ...(vaultSecret
      ? { aadMSIDataPlaneIdentityPath: `${managedCertificates}/${vaultSecret}` }
      : { useWorkloadIdentityExtension: true }),
  });
  return [opaqueSecret(namespace, 'azure-kms-config', { [azureConfigKey]: config })];
}
