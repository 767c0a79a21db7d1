/** A node pool on Amazon Web Services. */
import { boolean, enumOf, int64, list, object, raw, string } from '../schema/index.ts';
import { awsResourceReference } from './aws.ts';

export const awsResourceTagPair = object({
  key: string({ minLength: 1, maxLength: 128 }).rule(
    "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
    'key must only contain letters, digits, and the characters _ . : / = + - @',
  ),
  value: string({ minLength: 1, maxLength: 256 }).rule(
    "self.matches('^[0-9A-Za-z_.:/=+@-]+$')",
    'value must only contain letters, digits, and the characters _ . : / = + - @',
  ),
});

export const awsCapacityReservation = object({
  id: string({ maxLength: 20 })
    .optional()
    .rule(
      "self.matches('^cr-[a-f0-9]{17}$')",
      "AWS Capacity Reservation ID must start with 'cr-' followed by 17 lowercase hexadecimal characters (e.g., cr-0123456789abcdef0)",
    ),
  marketType: enumOf(['OnDemand', 'CapacityBlocks']).optional(),
  preference: enumOf(['', 'None', 'CapacityReservationsOnly', 'Open']).optional(),
})
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
  marketType: enumOf(['', 'OnDemand', 'Spot', 'CapacityBlocks']).optional(),
  spot: object({
    maxPrice: string({ minLength: 1, maxLength: 20, pattern: raw`^[0-9]+(\.[0-9]+)?$` }).optional(),
  }).optional(),
  tenancy: enumOf(['default', 'dedicated', 'host']).optional(),
})
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
  type: string({ maxLength: 255 }),
  size: int64({ minimum: 8 }),
  encrypted: boolean().optional(),
  encryptionKey: string({ maxLength: 2048 }).optional(),
  iops: int64().optional(),
});

export const awsNodePoolPlatform = object({
  instanceType: string({ maxLength: 255 }),
  subnet: awsResourceReference.rule(
    "has(self.id) && self.id.startsWith('subnet-') ? !has(self.filters) : size(self.filters) > 0",
    'subnet is invalid, a valid subnet id or filters must be set, but not both',
  ),
  ami: string({ maxLength: 255 }).optional(),
  imageType: enumOf(['Windows', 'Linux']).optional(),
  instanceProfile: string({ maxLength: 255 }).optional(),
  placement: awsPlacement.optional(),
  resourceTags: list(awsResourceTagPair, { maxItems: 25 }).optional(),
  rootVolume: awsRootVolume.optional(),
  securityGroups: list(awsResourceReference, { maxItems: 50 }).optional(),
});
