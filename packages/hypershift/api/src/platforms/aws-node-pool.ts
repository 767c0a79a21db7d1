/** A node pool on Amazon Web Services. */
import { boolean, enumOf, int64, list, object, raw, string } from '../schema/index.ts';
import { awsResourceReference } from './aws.ts';

export const awsResourceTagPair = object({
  key: string({ minLength: 1, maxLength: 128 })
    .describe('Key of the tag.')
    .rule(
      "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
      'key must only contain letters, digits, and the characters _ . : / = + - @',
    ),
  value: string({ minLength: 1, maxLength: 256 })
    .describe('Value of the tag.')
    .rule(
      "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
      'value must only contain letters, digits, and the characters _ . : / = + - @',
    ),
});

export const awsCapacityReservation = object({
  id: string({ maxLength: 20 })
    .optional()
    .describe('Reservation to use; absent takes any fitting one that is open.')
    .rule(
      "self.matches('^cr-[a-f0-9]{17}$')",
      "AWS Capacity Reservation ID must start with 'cr-' followed by 17 lowercase hexadecimal characters (e.g., cr-0123456789abcdef0)",
    ),
  marketType: enumOf(['OnDemand', 'CapacityBlocks']).optional().describe('Deprecated: use `placement.marketType`.'),
  preference: enumOf(['', 'None', 'CapacityReservationsOnly', 'Open'])
    .optional()
    .describe('Whether instances use open reservations where there are some, insist on them, or avoid them (`None`).'),
})
  .describe('Capacity paid for beforehand that instances run in; needs release 4.19 or later.')
  .rule(
    "has(self.id) ? (!has(self.preference) || !(self.preference in ['Open','None'])) : true",
    "AWS Capacity Reservation preference 'None' or 'Open' is incompatible with specifying a Capacity Reservation ID",
  )
  .rule(
    "has(self.marketType) && self.marketType == 'CapacityBlocks' ? has(self.id) : true",
    "AWS Capacity Reservation market type 'CapacityBlocks' requires a Capacity Reservation ID",
  );

export const awsPlacement = object({
  capacityReservation: awsCapacityReservation.optional(),
  marketType: enumOf(['', 'OnDemand', 'Spot', 'CapacityBlocks'])
    .optional()
    .describe(
      'How instances are bought: on demand, as Spot that AWS can take back, or in capacity blocks.',
      'Empty means on demand.',
    ),
  spot: object({
    maxPrice: string({ minLength: 1, maxLength: 20, pattern: raw`^[0-9]+(\.[0-9]+)?$` })
      .optional()
      .describe('Most to pay per hour in US dollars; absent means the on-demand price, with the fewest interruptions.'),
  })
    .optional()
    .describe('Settings for market type `Spot`.'),
  tenancy: enumOf(['default', 'dedicated', 'host'])
    .optional()
    .describe(
      'Hardware the instances share with others: any (`default`), only your own instances, or a dedicated host.',
    ),
})
  .describe('How and on what hardware instances are bought.')
  .rule(
    "has(self.tenancy) && self.tenancy == 'host' ? !has(self.capacityReservation) : true",
    "AWS Capacity Reservations cannot be used with Dedicated Hosts (tenancy 'host')",
  )
  .rule(
    "!has(self.marketType) || self.marketType != 'Spot' || !has(self.capacityReservation)",
    'Spot instances cannot be combined with Capacity Reservations',
  )
  .rule(
    "!has(self.marketType) || self.marketType != 'Spot' || !has(self.tenancy) || self.tenancy == 'default'",
    'Spot instances require default tenancy or unset',
  )
  .rule(
    "!has(self.marketType) || self.marketType != 'CapacityBlocks' || has(self.capacityReservation)",
    'CapacityBlocks market type requires capacityReservation to be specified',
  )
  .rule(
    "!has(self.spot) || (has(self.marketType) && self.marketType == 'Spot')",
    "spot options can only be specified when marketType is 'Spot'",
  );

export const awsRootVolume = object({
  type: string({ maxLength: 255 }).describe('EBS volume type, for example `gp3`.'),
  size: int64({ minimum: 8 }).describe('Size in GiB.'),
  encrypted: boolean()
    .optional()
    .describe('Whether the volume is encrypted; absent follows the setting of the account.'),
  encryptionKey: string({ maxLength: 2048 })
    .optional()
    .describe('KMS key for the volume; absent means the default EBS key of the account.'),
  iops: int64().optional().describe('Operations per second to provision, for the types that allow it.'),
}).describe('Root volume of the instances; absent means 16 GiB of gp3, which is little. A change replaces the nodes.');

export const awsNodePoolPlatform = object({
  instanceType: string({ maxLength: 255 }).describe(
    'EC2 instance type, for example `m5.large`; a change replaces the nodes.',
  ),
  subnet: awsResourceReference.rule(
    "has(self.id) && self.id.startsWith('subnet-') ? !has(self.filters) : size(self.filters) > 0",
    'subnet is invalid, a valid subnet id or filters must be set, but not both',
  ),
  ami: string({ maxLength: 255 })
    .optional()
    .describe('AMI to boot; absent means the one the release names for region and architecture.'),
  imageType: enumOf(['Windows', 'Linux'])
    .optional()
    .describe('Operating system of the default image; absent means `Linux`. `Windows` needs amd64.'),
  instanceProfile: string({ maxLength: 255 })
    .optional()
    .describe('IAM instance profile of the nodes; absent means `<infraID>-worker-profile`.'),
  placement: awsPlacement.optional(),
  resourceTags: list(awsResourceTagPair, { maxItems: 25 })
    .optional()
    .describe('Tags for the resources of this pool; those of the cluster win unless their policy allows otherwise.'),
  rootVolume: awsRootVolume.optional(),
  securityGroups: list(awsResourceReference, { maxItems: 50 })
    .optional()
    .describe('Security groups of the nodes in addition to the default one of the cluster.'),
}).describe('Settings of nodes on AWS.');
