/** A hosted cluster on OpenStack. */
import { boolean, integer, list, object, string } from '../schema/index.ts';

export const openStackFilter = object(
  {
    name: string({ maxLength: 255 }).optional(),
    description: string({ maxLength: 255 }).optional(),
    notTags: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), {
      type: 'set',
      maxItems: 50,
    }).optional(),
    notTagsAny: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), {
      type: 'set',
      maxItems: 50,
    }).optional(),
    projectID: string({ maxLength: 255 }).optional(),
    tags: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 }).optional(),
    tagsAny: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), {
      type: 'set',
      maxItems: 50,
    }).optional(),
  },
  { minProperties: 1 },
);

export const openStackNetworkReference = object(
  {
    filter: openStackFilter.optional(),
    id: string({ maxLength: 36, format: 'uuid' }).optional(),
  },
  { minProperties: 1, maxProperties: 1 },
);

export const openStackSubnetFilter = object(
  {
    name: string({ maxLength: 255 }).optional(),
    cidr: string({ maxLength: 45 }).optional(),
    description: string({ maxLength: 255 }).optional(),
    gatewayIP: string({ maxLength: 45 }).optional(),
    ipVersion: integer({ minimum: 0, maximum: 2147483647 }).optional(),
    ipv6AddressMode: string({ maxLength: 255 }).optional(),
    ipv6RAMode: string({ maxLength: 255 }).optional(),
    notTags: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), {
      type: 'set',
      maxItems: 50,
    }).optional(),
    notTagsAny: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), {
      type: 'set',
      maxItems: 50,
    }).optional(),
    projectID: string({ maxLength: 255 }).optional(),
    tags: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), { type: 'set', maxItems: 50 }).optional(),
    tagsAny: list(string({ minLength: 1, maxLength: 255, pattern: '^[^,]+$' }), {
      type: 'set',
      maxItems: 50,
    }).optional(),
  },
  { minProperties: 1 },
);

export const openStackSubnetReference = object(
  {
    filter: openStackSubnetFilter.optional(),
    id: string({ maxLength: 36, format: 'uuid' }).optional(),
  },
  { minProperties: 1, maxProperties: 1 },
);

export const openStackIdentityRef = object({
  name: string({ maxLength: 255 }),
  cloudName: string({ maxLength: 255 }),
});

export const openStackAllocationPool = object({
  end: string({ maxLength: 255 }),
  start: string({ maxLength: 255 }),
});

export const openStackManagedSubnet = object({
  allocationPools: list(openStackAllocationPool, { maxItems: 10 }).optional(),
  dnsNameservers: list(string({ maxLength: 45 }), { maxItems: 10 }).optional(),
});

export const openStackPlatform = object({
  identityRef: openStackIdentityRef,
  disableExternalNetwork: boolean().optional(),
  externalNetwork: openStackNetworkReference.optional(),
  ingressFloatingIP: string({ maxLength: 45 })
    .optional()
    .rule('isIP(self)', 'floatingIP must be a valid IPv4 or IPv6 address'),
  managedSubnets: list(openStackManagedSubnet, { type: 'atomic', maxItems: 1 }).optional(),
  network: openStackNetworkReference.optional(),
  networkMTU: integer({ minimum: 1500, maximum: 9000 }).optional(),
  router: openStackNetworkReference.optional(),
  subnets: list(openStackSubnetReference, { type: 'atomic', maxItems: 2 }).optional(),
  tags: list(string({ maxLength: 255 }), { type: 'set', maxItems: 50 }).optional(),
});
