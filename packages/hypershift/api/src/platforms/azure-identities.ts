/** Identities the parts of a hosted cluster use towards Azure. */
import { enumOf, object, string } from '../schema/index.ts';

export const azureManagedIdentity = object({
  credentialsSecretName: string({ minLength: 1, maxLength: 127, pattern: '^[a-zA-Z0-9-]+$' }).describe(
    'Name of the Key Vault secret that holds the credentials of the identity.',
  ),
  objectEncoding: enumOf(['utf-8', 'hex', 'base64']).describe(
    'How the vault stores the secret, which must be stated correctly or it cannot be read; usually `utf-8`,',
    'but there is no default.',
  ),
  clientID: string({ minLength: 36, maxLength: 36, pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$' })
    .optional()
    .describe('Client ID of the identity; may be left out because the credentials name it.')
    .rule(
      "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
      'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
    ),
});

export const azureWorkloadIdentity = object({
  clientID: string({ minLength: 36, maxLength: 36, pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$' })
    .describe("Client ID of the identity that trusts the tokens of the component's service account.")
    .rule(
      "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
      'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
    ),
});

export const azureIdentitiesKeyVault = object({
  name: string({ maxLength: 255 }).describe('Name of the vault.'),
  tenantID: string({ maxLength: 255 }).describe('Tenant the vault belongs to.'),
}).describe('Vault with the credentials of all control plane identities.');

export const azureControlPlaneIdentities = object({
  cloudProvider: azureManagedIdentity.describe('Identity of the cloud controller manager.'),
  controlPlaneOperator: azureManagedIdentity.describe('Identity of the control plane operator.'),
  disk: azureManagedIdentity.describe('Identity of the disk CSI controller.'),
  file: azureManagedIdentity.describe('Identity of the file CSI controller.'),
  ingress: azureManagedIdentity.describe('Identity of the ingress operator, which writes DNS records.'),
  managedIdentitiesKeyVault: azureIdentitiesKeyVault,
  network: azureManagedIdentity.describe('Identity of the cloud network configuration controller.'),
  nodePoolManagement: azureManagedIdentity.describe(
    'Identity of Cluster API, which makes and deletes virtual machines.',
  ),
  imageRegistry: azureManagedIdentity
    .optional()
    .describe('Identity of the image registry operator; may be left out when the registry is disabled.'),
}).describe('Identities of the components that run on the management cluster.');

export const azureDataPlaneIdentities = object({
  diskMSIClientID: string({ maxLength: 255 }).describe('Client ID of the identity of the disk CSI driver on nodes.'),
  fileMSIClientID: string({ maxLength: 255 }).describe('Client ID of the identity of the file CSI driver on nodes.'),
  imageRegistryMSIClientID: string({ maxLength: 255 }).describe(
    'Client ID of the identity of the image registry on nodes.',
  ),
}).describe('Identities of the components that run on nodes; they log in with tokens of the cluster.');

export const azureManagedIdentities = object({
  controlPlane: azureControlPlaneIdentities,
  dataPlane: azureDataPlaneIdentities,
}).describe('Identities whose credentials lie in a Key Vault, as ARO uses them.');

export const azureWorkloadIdentities = object({
  cloudProvider: azureWorkloadIdentity.describe('Identity of the cloud controller manager.'),
  disk: azureWorkloadIdentity.describe('Identity of the disk CSI driver.'),
  file: azureWorkloadIdentity.describe('Identity of the file CSI driver.'),
  imageRegistry: azureWorkloadIdentity.describe('Identity of the image registry.'),
  ingress: azureWorkloadIdentity.describe('Identity of the ingress operator, which writes DNS records.'),
  network: azureWorkloadIdentity.describe('Identity of the cloud network configuration controller.'),
  nodePoolManagement: azureWorkloadIdentity.describe(
    'Identity of Cluster API, which makes and deletes virtual machines.',
  ),
  controlPlaneOperator: azureWorkloadIdentity
    .optional()
    .describe('Identity of the control plane operator; needed for Private Link.'),
}).describe('Identities that trust service account tokens of the cluster, for clusters you manage yourself.');

export const azureAuthentication = object({
  azureAuthenticationConfigType: enumOf(['ManagedIdentities', 'WorkloadIdentities']).describe(
    'Kind of identity all components use; the member of that name must be set.',
  ),
  managedIdentities: azureManagedIdentities.optional(),
  workloadIdentities: azureWorkloadIdentities.optional(),
})
  .describe('How the parts of the cluster log in to Azure.')
  .rule(
    "self.azureAuthenticationConfigType == 'ManagedIdentities' ? has(self.managedIdentities) : !has(self.managedIdentities)",
    'managedIdentities is required when azureAuthenticationConfigType is ManagedIdentities, and forbidden otherwise',
  )
  .rule(
    "self.azureAuthenticationConfigType == 'WorkloadIdentities' ? has(self.workloadIdentities) : !has(self.workloadIdentities)",
    'workloadIdentities is required when azureAuthenticationConfigType is WorkloadIdentities, and forbidden otherwise',
  );
