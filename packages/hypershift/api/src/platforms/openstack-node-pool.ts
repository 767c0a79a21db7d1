/** A node pool on OpenStack. */
import { enumOf, list, object, string } from '../schema/index.ts';
import { openStackNetworkReference } from './openstack.ts';

export const openStackPort = object({
  allowedAddressPairs: list(
    object({
      ipAddress: string({ maxLength: 255 }).describe('Address or range the port may send from besides its own.'),
    }),
    { maxItems: 10 },
  )
    .optional()
    .describe('Further addresses the port may use.'),
  description: string({ maxLength: 255 }).optional().describe('Description of the port.'),
  network: openStackNetworkReference.optional().describe('Network the port is on.'),
  portSecurityPolicy: enumOf(['Enabled', 'Disabled', ''])
    .optional()
    .describe('Whether security groups and address checks hold on the port; empty follows the network.'),
  vnicType: string({ maxLength: 255 })
    .optional()
    .describe('Kind of virtual network card, for example `normal` or `direct` for SR-IOV.'),
});

export const openStackNodePoolPlatform = object({
  flavor: string({ maxLength: 255 }).describe('Flavor of the machines; a change replaces the nodes.'),
  additionalPorts: list(openStackPort, { maxItems: 10 })
    .optional()
    .describe('Further ports of each machine, after the main one.'),
  availabilityZone: string({ minLength: 1, maxLength: 63, pattern: '^[^: ]*$' })
    .optional()
    .describe('Availability zone of the machines; absent means the default of the cloud.'),
  imageName: string({ maxLength: 255 })
    .optional()
    .describe('Image to boot, by name; absent uploads and uses the one the release names.'),
}).describe('Settings of nodes on OpenStack.');
