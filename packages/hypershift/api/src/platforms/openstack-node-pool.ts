/** A node pool on OpenStack. */
import { enumOf, list, object, string } from '../schema/index.ts';
import { openStackNetworkReference } from './openstack.ts';

export const openStackPort = object({
  allowedAddressPairs: list(
    object({
      ipAddress: string({ maxLength: 255 }),
    }),
    { maxItems: 10 },
  ).optional(),
  description: string({ maxLength: 255 }).optional(),
  network: openStackNetworkReference.optional(),
  portSecurityPolicy: enumOf(['Enabled', 'Disabled', '']).optional(),
  vnicType: string({ maxLength: 255 }).optional(),
});

export const openStackNodePoolPlatform = object({
  flavor: string({ maxLength: 255 }),
  additionalPorts: list(openStackPort, { maxItems: 10 }).optional(),
  availabilityZone: string({ minLength: 1, maxLength: 63, pattern: '^[^: ]*$' }).optional(),
  imageName: string({ maxLength: 255 }).optional(),
});
