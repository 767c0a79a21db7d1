/** Identities the parts of a hosted cluster use towards Azure. */
import { enumOf, object, string } from '../schema/index.ts';

export const azureManagedIdentity = object({
  credentialsSecretName: string({ minLength: 1, maxLength: 127, pattern: '^[a-zA-Z0-9-]+$' }),
  objectEncoding: enumOf(['utf-8', 'hex', 'base64']),
  clientID: string({ minLength: 36, maxLength: 36, pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$' })
    .optional()
    .rule(
      "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
      'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
    ),
});

export const azureWorkloadIdentity = object({
  clientID: string({
    minLength: 36,
    maxLength: 36,
    pattern: '^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$',
  }).rule(
    "self.matches('^[0-9a-fA-F]{8}-([0-9a-fA-F]{4}-){3}[0-9a-fA-F]{12}$')",
    'the client ID of a managed identity must be a valid UUID. It should be 5 groups of hyphen separated hexadecimal characters in the form 8-4-4-4-12.',
  ),
});

export const azureIdentitiesKeyVault = object({
  name: string({ maxLength: 255 }),
  tenantID: string({ maxLength: 255 }),
});

export const azureControlPlaneIdentities = object({
  cloudProvider: azureManagedIdentity,
  controlPlaneOperator: azureManagedIdentity,
  disk: azureManagedIdentity,
  file: azureManagedIdentity,
  ingress: azureManagedIdentity,
  managedIdentitiesKeyVault: azureIdentitiesKeyVault,
  network: azureManagedIdentity,
  nodePoolManagement: azureManagedIdentity,
  imageRegistry: azureManagedIdentity.optional(),
});

export const azureDataPlaneIdentities = object({
  diskMSIClientID: string({ maxLength: 255 }),
  fileMSIClientID: string({ maxLength: 255 }),
  imageRegistryMSIClientID: string({ maxLength: 255 }),
});

export const azureManagedIdentities = object({
  controlPlane: azureControlPlaneIdentities,
  dataPlane: azureDataPlaneIdentities,
});

export const azureWorkloadIdentities = object({
  cloudProvider: azureWorkloadIdentity,
  disk: azureWorkloadIdentity,
  file: azureWorkloadIdentity,
  imageRegistry: azureWorkloadIdentity,
  ingress: azureWorkloadIdentity,
  network: azureWorkloadIdentity,
  nodePoolManagement: azureWorkloadIdentity,
  controlPlaneOperator: azureWorkloadIdentity.optional(),
});

export const azureAuthentication = object({
  azureAuthenticationConfigType: enumOf(['ManagedIdentities', 'WorkloadIdentities']),
  managedIdentities: azureManagedIdentities.optional(),
  workloadIdentities: azureWorkloadIdentities.optional(),
})
  .rule(
    "self.azureAuthenticationConfigType == 'ManagedIdentities' ? has(self.managedIdentities) : !has(self.managedIdentities)",
    'managedIdentities is required when azureAuthenticationConfigType is ManagedIdentities, and forbidden otherwise',
  )
  .rule(
    "self.azureAuthenticationConfigType == 'WorkloadIdentities' ? has(self.workloadIdentities) : !has(self.workloadIdentities)",
    'workloadIdentities is required when azureAuthenticationConfigType is WorkloadIdentities, and forbidden otherwise',
  );
