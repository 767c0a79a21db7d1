/** A hosted cluster on OpenStack. */
import { boolean, integer, list, object, string } from '../schema/index.ts';

export const openStackFilter = object(
  {
    name: string({ maxLength: 255 }).optional().describe('Name the resource must have.'),
    description: string({ maxLength: 255 }).optional().describe('Description the resource must have.'),
    notTags: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 })
      .optional()
      .describe('Leaves out resources that carry all of these tags.'),
    notTagsAny: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 })
      .optional()
      .describe('Leaves out resources that carry any of these tags.'),
    projectID: string({ maxLength: 255 }).optional().describe('Project the resource must belong to.'),
    tags: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 })
      .optional()
      .describe('Tags the resource must carry, all of them.'),
    tagsAny: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 })
      .optional()
      .describe('Tags of which the resource must carry at least one.'),
  },
  { minProperties: 1 },
).describe('Properties by which the resource is found; exactly one must match.');

export const openStackNetworkReference = object(
  {
    filter: openStackFilter.optional(),
    id: string({ maxLength: 36, format: 'uuid' }).optional().describe('UUID of the resource; set this or `filter`.'),
  },
  { minProperties: 1, maxProperties: 1 },
);

export const openStackSubnetFilter = object(
  {
    name: string({ maxLength: 255 }).optional().describe('Name the subnet must have.'),
    cidr: string({ maxLength: 45 }).optional().describe('Range the subnet must have.'),
    description: string({ maxLength: 255 }).optional().describe('Description the subnet must have.'),
    gatewayIP: string({ maxLength: 45 }).optional().describe('Gateway address the subnet must have.'),
    ipVersion: integer({ minimum: 0, maximum: 2147483647 }).optional().describe('IP version of the subnet: 4 or 6.'),
    ipv6AddressMode: string({ maxLength: 255 })
      .optional()
      .describe('How the subnet hands out IPv6 addresses, for example `slaac`.'),
    ipv6RAMode: string({ maxLength: 255 }).optional().describe("How the subnet's IPv6 router advertisements are made."),
    notTags: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 })
      .optional()
      .describe('Leaves out subnets that carry all of these tags.'),
    notTagsAny: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 })
      .optional()
      .describe('Leaves out subnets that carry any of these tags.'),
    projectID: string({ maxLength: 255 }).optional().describe('Project the subnet must belong to.'),
    tags: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 })
      .optional()
      .describe('Tags the subnet must carry, all of them.'),
    tagsAny: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 })
      .optional()
      .describe('Tags of which the subnet must carry at least one.'),
  },
  { minProperties: 1 },
).describe('Properties by which the subnet is found; exactly one must match.');

export const openStackSubnetReference = object(
  {
    filter: openStackSubnetFilter.optional(),
    id: string({ maxLength: 36, format: 'uuid' }).optional().describe('UUID of the subnet; set this or `filter`.'),
  },
  { minProperties: 1, maxProperties: 1 },
);

export const openStackIdentityRef = object({
  name: string({ maxLength: 255 }).describe(
    'Secret whose `clouds.yaml` holds the credentials, and optionally `cacert` the certificate authority.',
  ),
  cloudName: string({ maxLength: 255 }).describe('Entry of `clouds.yaml` to use.'),
}).describe('Credentials for OpenStack.');

export const openStackAllocationPool = object({
  end: string({ maxLength: 255 }).describe('Last address.'),
  start: string({ maxLength: 255 }).describe('First address.'),
});

export const openStackManagedSubnet = object({
  allocationPools: list(openStackAllocationPool, { maxItems: 10 })
    .optional()
    .describe('Parts of the subnet that addresses are handed out from; absent means all of it.'),
  dnsNameservers: list(string({ maxLength: 45 }), { maxItems: 10 })
    .optional()
    .describe('Name servers handed to the machines.'),
});

export const openStackPlatform = object({
  identityRef: openStackIdentityRef,
  disableExternalNetwork: boolean()
    .optional()
    .describe('Leaves the cluster without a connection to an external network, and so without floating IPs.'),
  externalNetwork: openStackNetworkReference
    .optional()
    .describe(
      'External network that gives machines access to the internet; absent takes the only one there is,',
      'and fails when there are several.',
    ),
  ingressFloatingIP: string({ maxLength: 45 })
    .optional()
    .describe(
      'Existing floating IP for the default router, so that DNS can be set up beforehand;',
      'absent takes a new one.',
    )
    .rule('isIP(self)', 'floatingIP must be a valid IPv4 or IPv6 address'),
  managedSubnets: list(openStackManagedSubnet, { type: 'atomic', maxItems: 1 })
    .optional()
    .describe(
      'Subnet to make, with its network and router; its range is the machine network,',
      'and only one IPv4 subnet is possible. Absent uses existing networks.',
    ),
  network: openStackNetworkReference.optional().describe('Existing network to use when no subnet is made.'),
  networkMTU: integer({ minimum: 1500, maximum: 9000 })
    .optional()
    .describe('Largest packet in bytes of a network that is made; absent leaves it to OpenStack.'),
  router: openStackNetworkReference
    .optional()
    .describe('Existing router to connect a subnet that is made; absent makes one.'),
  subnets: list(openStackSubnetReference, { type: 'atomic', maxItems: 2 })
    .optional()
    .describe('Existing subnets to use when none is made; with two, one must be IPv4 and the other IPv6.'),
  tags: list(string({ maxLength: 255 }), { type: 'set', maxItems: 50 })
    .optional()
    .describe('Tags for all OpenStack resources of the cluster.'),
}).describe('Settings of a cluster on OpenStack.');
