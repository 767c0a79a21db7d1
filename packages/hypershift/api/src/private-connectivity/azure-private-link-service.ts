/** Private access to a control plane on Azure. */
import { condition } from '../common/conditions.ts';
import { defineKind, list, object, raw, resourceOf, string, type ManifestOf, type ObjectOf } from '../schema/index.ts';

export const azurePrivateLinkServiceSpec = object({
  guestSubnetID: string({ minLength: 1, maxLength: 355 })
    .describe('Subnet of the cluster the private endpoint gets its address from.')
    .immutable('guestSubnetID is immutable once set')
    .rule(
      raw`self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$')`,
      'must be a valid Azure subnet resource ID (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/virtualNetworks/{vnet}/subnets/{subnet})',
    ),
  guestVNetID: string({ minLength: 1, maxLength: 355 })
    .describe('Virtual network of the cluster, linked to the private DNS zones.')
    .immutable('guestVNetID is immutable once set')
    .rule(
      raw`self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+$')`,
      'must be a valid Azure VNet resource ID (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/virtualNetworks/{vnet})',
    ),
  location: string({ minLength: 1, maxLength: 50 })
    .describe('Azure region of the service.')
    .immutable('location is immutable once set')
    .rule(
      "self.matches('^[a-z0-9]+$')",
      'location must contain only lowercase alphanumeric characters (e.g., eastus, westeurope, centralus)',
    ),
  resourceGroupName: string({ minLength: 1, maxLength: 90 })
    .describe('Resource group the service is made in.')
    .immutable('resourceGroupName is immutable once set')
    .rule(
      "self.matches(r'^[-a-zA-Z0-9_.()]+$') && !self.endsWith('.')",
      'resourceGroupName must contain only alphanumerics, underscores, hyphens, periods, and parentheses, and cannot end with a period',
    ),
  subscriptionID: string({ minLength: 36, maxLength: 36 })
    .describe('Subscription the service is made in.')
    .immutable('subscriptionID is immutable once set')
    .rule(
      "self.matches('^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')",
      'must be a valid UUID (e.g., 550e8400-e29b-41d4-a716-446655440000)',
    ),
  additionalAllowedSubscriptions: list(
    string({ minLength: 36, maxLength: 36 }).rule(
      "self.matches('^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$')",
      'must be a valid UUID (e.g., 550e8400-e29b-41d4-a716-446655440000)',
    ),
    { type: 'set', minItems: 1, maxItems: 50 },
  )
    .optional()
    .describe('Further subscriptions that may connect; that of the cluster always may.'),
  baseDomain: string({ minLength: 1, maxLength: 253 })
    .optional()
    .describe('Domain of the cluster, for a second private zone with its public names; absent makes none.')
    .immutable('baseDomain is immutable once set')
    .rule(
      raw`self.matches('^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$')`,
      'baseDomain must be a valid DNS domain name consisting of alphanumeric characters, hyphens, and periods, where each segment starts and ends with an alphanumeric character',
    ),
  loadBalancerIP: string({ minLength: 1, maxLength: 39 })
    .optional()
    .describe('Address of the internal load balancer in front of the control plane; filled in once it is known.')
    .rule('isIP(self)', 'loadBalancerIP must be a valid IPv4 or IPv6 address'),
  natSubnetID: string({ minLength: 1, maxLength: 355 })
    .optional()
    .describe('Subnet the service takes its NAT addresses from; absent makes one.')
    .immutable('natSubnetID is immutable once set')
    .rule(
      raw`self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/virtualNetworks/[^/]+/subnets/[^/]+$')`,
      'must be a valid Azure subnet resource ID (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/virtualNetworks/{vnet}/subnets/{subnet})',
    ),
}).describe('Load balancer and networks to connect.');

export const azurePrivateLinkServiceStatus = object(
  {
    baseDomainDNSZoneID: string({ minLength: 1, maxLength: 265 })
      .optional()
      .describe('Private zone for the domain of the cluster.')
      .rule(
        raw`self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/privateDnsZones/[^/]+$')`,
        'baseDomainDNSZoneID must be an Azure Private DNS Zone resource ID (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/privateDnsZones/{zoneName})',
      ),
    conditions: list(condition, { type: 'map', keys: ['type'], minItems: 1, maxItems: 10 })
      .optional()
      .describe('Steps of making the connection, and whether all of it is available.'),
    dnsZoneName: string({ minLength: 1, maxLength: 253 })
      .optional()
      .describe('Name of the private zone for internal names.')
      .rule(
        raw`self.matches('^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?(\\.[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?)*$')`,
        'dnsZoneName must be a valid DNS domain name consisting of alphanumeric characters, hyphens, and periods, where each segment starts and ends with an alphanumeric character',
      ),
    internalLoadBalancerID: string({ minLength: 1, maxLength: 284 })
      .optional()
      .describe('Internal load balancer found for the address.')
      .rule(
        raw`self.matches('^/subscriptions/[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}/resourceGroups/[^/]+/providers/Microsoft\\.Network/loadBalancers/[^/]+$')`,
        'internalLoadBalancerID must be an Azure load balancer resource ID in the format /subscriptions/{subscriptionID}/resourceGroups/{resourceGroup}/providers/Microsoft.Network/loadBalancers/{loadBalancerName}',
      ),
    privateDNSZoneID: string({ minLength: 1, maxLength: 265 })
      .optional()
      .describe('Private zone for internal names.')
      .rule(
        raw`self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/privateDnsZones/[^/]+$')`,
        'privateDNSZoneID must be an Azure Private DNS Zone resource ID (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/privateDnsZones/{zoneName})',
      ),
    privateEndpointID: string({ minLength: 1, maxLength: 267 })
      .optional()
      .describe('Endpoint in the network of the cluster.')
      .rule(
        raw`self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/privateEndpoints/[^/]+$')`,
        'privateEndpointID must be an Azure Private Endpoint resource ID (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/privateEndpoints/{endpointName})',
      ),
    privateEndpointIP: string({ minLength: 1, maxLength: 39 })
      .optional()
      .describe('Address nodes use to reach the control plane.')
      .rule('isIP(self)', 'privateEndpointIP must be a valid IPv4 or IPv6 address'),
    privateLinkServiceAlias: string({ minLength: 1, maxLength: 170 })
      .optional()
      .describe('Name by which endpoints find the service.')
      .rule(
        raw`self.matches('^[^.]+\\.[0-9a-fA-F-]+\\.[a-z0-9]+\\.azure\\.privatelinkservice$')`,
        'privateLinkServiceAlias must match the Azure PLS alias format {plsName}.{guid}.{region}.azure.privatelinkservice',
      ),
    privateLinkServiceID: string({ minLength: 1, maxLength: 270 })
      .optional()
      .describe('The Private Link service.')
      .rule(
        raw`self.matches('^/subscriptions/[^/]+/resourceGroups/[^/]+/providers/Microsoft\\.Network/privateLinkServices/[^/]+$')`,
        'privateLinkServiceID must be an Azure Private Link Service resource ID (e.g., /subscriptions/{sub}/resourceGroups/{rg}/providers/Microsoft.Network/privateLinkServices/{plsName})',
      ),
  },
  { minProperties: 1 },
).describe('What was made on Azure on both sides.');

export const azurePrivateLinkService = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'AzurePrivateLinkService',
  plural: 'azureprivatelinkservices',
  shortNames: ['azpls'],
  scope: 'Namespaced',
  description:
    'Private connection between the nodes and the control plane through Azure Private Link. A controller makes it.',
  columns: [
    { name: 'PLS Alias', type: 'string', jsonPath: '.status.privateLinkServiceAlias' },
    { name: 'Endpoint IP', type: 'string', jsonPath: '.status.privateEndpointIP' },
    {
      name: 'Available',
      type: 'string',
      jsonPath: '.status.conditions[?(@.type=="AzurePrivateLinkServiceAvailable")].status',
    },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  statusSubresource: true,
  fields: {
    spec: azurePrivateLinkServiceSpec,
    status: azurePrivateLinkServiceStatus.optional(),
  },
});

/** An AzurePrivateLinkService as an API server hands it out: defaults are filled in. */
export type AzurePrivateLinkService = ObjectOf<typeof azurePrivateLinkService>;

/** An AzurePrivateLinkService as a client may send it. */
export type AzurePrivateLinkServiceManifest = ManifestOf<typeof azurePrivateLinkService>;

export const azurePrivateLinkServices = resourceOf(azurePrivateLinkService);
