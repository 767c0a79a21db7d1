import type { PlatformFlag } from '../platform.ts';

export const azureFlags: readonly PlatformFlag[] = [
  {
    name: 'azure-creds',
    value: 'path',
    required: true,
    description: 'File with credentials that may make infrastructure.',
  },
  { name: 'location', value: 'string', default: 'eastus', description: 'Azure region of the cluster.' },
  { name: 'encryption-key-id', value: 'string', description: 'Key in a vault that encrypts Secrets.' },
  { name: 'availability-zones', value: 'strings', description: 'Zones; one NodePool is made in each.' },
  { name: 'resource-group-name', value: 'string', description: 'Existing resource group; made when not given.' },
  { name: 'vnet-id', value: 'string', description: 'Existing virtual network.' },
  { name: 'network-security-group-id', value: 'string', description: 'Existing network security group.' },
  { name: 'subnet-id', value: 'string', description: 'Existing subnet.' },
  { name: 'resource-group-tags', value: 'strings', description: 'Tags of a resource group that is made, key=value.' },
  { name: 'oidc-issuer-url', value: 'string', description: 'Issuer of service account tokens.' },
  { name: 'sa-token-issuer-private-key-path', value: 'path', description: 'Key that signs service account tokens.' },
  { name: 'dns-zone-rg-name', value: 'string', description: 'Resource group of the DNS zone.' },
  {
    name: 'workload-identities-file',
    value: 'path',
    description: 'Client IDs of workload identities, for own clusters.',
  },
  { name: 'managed-identities-file', value: 'path', description: 'Managed identities of the control plane, for ARO.' },
  { name: 'data-plane-identities-file', value: 'path', description: 'Managed identities of the nodes, for ARO.' },
  {
    name: 'kms-credentials-secret-name',
    value: 'string',
    description: 'Vault secret of the identity of the key provider.',
  },
  { name: 'assign-custom-hcp-roles', value: 'boolean', description: 'Give identities roles made for hosted clusters.' },
  { name: 'assign-service-principal-roles', value: 'boolean', description: 'Give identities the roles they need.' },
  {
    name: 'oauth-publishing-strategy',
    value: 'string',
    default: 'Route',
    choices: ['Route', 'LoadBalancer'],
    description: 'How the OAuth server is published; load balancers only on clusters of your own.',
  },
  {
    name: 'endpoint-access',
    value: 'string',
    default: 'Public',
    choices: ['Public', 'PublicAndPrivate', 'Private'],
    description: 'Who reaches the API server.',
  },
  {
    name: 'endpoint-access-private-nat-subnet-id',
    value: 'string',
    description: 'Subnet for NAT of the Private Link service.',
  },
  {
    name: 'endpoint-access-private-additional-allowed-subscriptions',
    value: 'strings',
    description: 'Further subscriptions that may connect.',
  },
];
