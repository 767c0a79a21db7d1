/** A hosted cluster on Microsoft Azure. */
import { enumOf, list, object, raw, string } from '../schema/index.ts';
import { azureAuthentication } from './azure-identities.ts';

export const azureRegistryCredentials = object({
  type: enumOf(['ManagedIdentity']).describe('Kind of credentials the nodes use.'),
  managedIdentity: object({
    resourceID: string({ minLength: 131, maxLength: 345 })
      .describe('Resource ID of the user-assigned identity, which must be allowed to pull.')
      .rule(
        raw`self.lowerAscii().matches('^/subscriptions/[^/]+/resourcegroups/[^/]+/providers/microsoft\\.managedidentity/userassignedidentities/[^/]+$')`,
        'must be a user-assigned managed identity ARM resource ID in the format /subscriptions/{subscriptionID}/resourceGroups/{resourceGroupName}/providers/Microsoft.ManagedIdentity/userAssignedIdentities/{identityName}',
      ),
  })
    .optional()
    .describe('Identity attached to the virtual machines for pulling.'),
})
  .describe('Credentials for Azure Container Registry.')
  .rule(
    "self.type == 'ManagedIdentity' ? has(self.managedIdentity) : !has(self.managedIdentity)",
    'managedIdentity is required when type is ManagedIdentity, and forbidden otherwise',
  );

export const azurePrivateLink = object(
  {
    additionalAllowedSubscriptions: list(
      string({ minLength: 36, maxLength: 36 }).rule(
        "self.matches('^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')",
        'must be a valid UUID (e.g., 550e8400-e29b-41d4-a716-446655440000)',
      ),
      { type: 'set', minItems: 1, maxItems: 50 },
    )
      .optional()
      .describe('Further subscriptions that may connect to the Private Link service; that of the cluster always may.'),
    natSubnetID: string({ minLength: 1, maxLength: 355 })
      .optional()
      .describe(
        'Subnet the Private Link service takes its NAT addresses from,',
        'with network policies for that service disabled; absent makes one in the virtual network of the cluster.',
        'Fixed once set.',
      )
      .immutable('natSubnetID is immutable once set')
      .rule(
        raw`self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$')`,
        'must be a valid Azure subnet resource ID (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/virtualNetworks/{vnet}/subnets/{subnet})',
      ),
  },
  { minProperties: 1 },
).describe('Private access through Azure Private Link.');

export const azurePrivate = object({
  type: enumOf(['PrivateLink', 'Swift']).describe(
    'Technique of private access: Private Link, or Swift,',
    'which puts control plane pods into the network of the customer. Fixed.',
  ),
  privateLink: azurePrivateLink.optional(),
  swift: object({
    podNetworkInstance: string({ minLength: 1, maxLength: 63 })
      .describe('Name of the pod network instance that connects the pods.')
      .rule(
        "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
        'podNetworkInstance must be a valid DNS label: lowercase alphanumeric characters or hyphens, must start and end with an alphanumeric character',
      ),
  })
    .optional()
    .describe('Settings for type `Swift`; fixed.')
    .rule('self.podNetworkInstance == oldSelf.podNetworkInstance', 'podNetworkInstance is immutable'),
})
  .describe('How the API server is reached without the internet; decided at creation.')
  .rule('!has(oldSelf.type) || self.type == oldSelf.type', 'type is immutable')
  .rule(
    "self.type == 'PrivateLink' ? has(self.privateLink) : !has(self.privateLink)",
    'privateLink is required when type is PrivateLink, and forbidden otherwise',
  )
  .rule(
    "self.type == 'Swift' ? has(self.swift) : !has(self.swift)",
    'swift is required when type is Swift, and forbidden otherwise',
  );

export const azurePlatform = object({
  azureAuthenticationConfig: azureAuthentication,
  location: string({ maxLength: 255 })
    .describe('Azure region of the cluster, for example `eastus`.')
    .immutable('Location is immutable'),
  resourceGroup: string({ maxLength: 90, pattern: raw`^[a-zA-Z0-9_()\-\.]{1,89}[a-zA-Z0-9_()\-]$` })
    .default('default')
    .describe('Existing resource group of the same subscription that takes all resources of the cluster.')
    .immutable('ResourceGroupName is immutable'),
  securityGroupID: string({ maxLength: 255 })
    .describe(
      'Resource ID of the network security group on the subnet,',
      'which the cloud controller manager opens for load balancers.',
    )
    .immutable('SecurityGroupID is immutable'),
  subnetID: string({ minLength: 1, maxLength: 355 })
    .describe('Resource ID of the subnet load balancers are put into; node pools name their own.')
    .rule(
      "size(self.split('/')) == 11 && self.matches('^/subscriptions/.*/resourceGroups/.*/providers/Microsoft.Network/virtualNetworks/.*/subnets/.*$')",
      'encryptionSetID must be in the format `/subscriptions/{subscriptionId}/resourceGroups/{resourceGroupName}/providers/Microsoft.Network/virtualNetworks/{vnetName}/subnets/{subnetName}`',
    )
    .rule(
      raw`self.split('/')[4].matches('[a-zA-Z0-9-_\\(\\)\\.]{1,90}')`,
      'The resourceGroupName should be between 1 and 90 characters, consisting only of alphanumeric characters, hyphens, underscores, periods and parenthesis',
    )
    .rule(
      "!self.split('/')[4].endsWith('.')",
      'the resourceGroupName in the subnetID must not end with a period (.) character',
    )
    .rule(
      raw`self.split('/')[8].matches('[a-zA-Z0-9-_\\.]{2,64}')`,
      'The vnetName should be between 2 and 64 characters, consisting only of alphanumeric characters, hyphens, underscores and periods',
    )
    .rule(
      "!self.split('/')[8].endsWith('.') && !self.split('/')[8].endsWith('-')",
      'the vnetName in the subnetID must not end with either a period (.) or hyphen (-) character',
    )
    .rule(
      raw`self.split('/')[10].matches('[a-zA-Z0-9][a-zA-Z0-9-_\\.]{0,79}')`,
      'The subnetName should be between 1 and 80 characters, consisting only of alphanumeric characters, hyphens and underscores and must start with an alphanumeric character',
    )
    .rule(
      "!self.split('/')[10].endsWith('.') && !self.split('/')[10].endsWith('-')",
      'the subnetName in the subnetID must not end with a period (.) or hyphen (-) character',
    )
    .immutable('SubnetID is immutable'),
  subscriptionID: string({ maxLength: 255 })
    .describe('Subscription of all resources of the cluster.')
    .immutable('SubscriptionID is immutable'),
  tenantID: string({ maxLength: 255 }).describe('Tenant the subscription and the identities belong to.'),
  vnetID: string({ maxLength: 255 })
    .describe('Resource ID of the virtual network of the cluster.')
    .immutable('VnetID is immutable'),
  cloud: enumOf([
    'AzurePublicCloud',
    'AzureUSGovernmentCloud',
    'AzureChinaCloud',
    'AzureGermanCloud',
    'AzureBleuCloud',
    'AzureStackCloud',
  ])
    .optional()
    .default('AzurePublicCloud')
    .describe('Azure cloud the cluster lives in; decides which endpoints are used.'),
  containerRegistry: object({
    credentials: azureRegistryCredentials,
  })
    .optional()
    .describe('Access of the nodes to Azure Container Registry; a change replaces the nodes of all pools.'),
  private: azurePrivate.optional(),
  topology: enumOf(['Public', 'PublicAndPrivate', 'Private'])
    .optional()
    .describe(
      'Whether the API server is reachable from the internet, privately or both; absent means `Public`,',
      'and with workload identities it should be stated. Moves from or to `Public` are refused.',
    ),
})
  .describe('Settings of a cluster on Azure.')
  .rule('has(self.private) == has(oldSelf.private)', 'private cannot be added or removed after cluster creation')
  .rule('!has(oldSelf.topology) || has(self.topology)', 'topology cannot be removed once set')
  .rule(
    "!has(self.topology) || !has(oldSelf.topology) || (self.topology == 'Public') == (oldSelf.topology == 'Public')",
    'transitions between Public and non-Public topology are not supported',
  )
  .rule(
    "has(self.topology) && (self.topology == 'Private' || self.topology == 'PublicAndPrivate') ? has(self.private) : !has(self.private)",
    'private is required when topology is Private or PublicAndPrivate, and forbidden otherwise',
  )
  .rule(
    "!has(self.private) || self.private.type != 'PrivateLink' || self.azureAuthenticationConfig.azureAuthenticationConfigType != 'WorkloadIdentities' || has(self.azureAuthenticationConfig.workloadIdentities.controlPlaneOperator)",
    'workloadIdentities.controlPlaneOperator is required when Private Link is configured with WorkloadIdentities authentication',
  );
