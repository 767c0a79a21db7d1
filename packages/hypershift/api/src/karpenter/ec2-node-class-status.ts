/** What Karpenter found for an EC2NodeClass. */
import { condition } from '../common/conditions.ts';
import { matchExpression } from '../common/scheduling.ts';
import { boolean, dateTime, enumOf, list, object, string } from '../schema/index.ts';

export const ec2Ami = object({
  id: string(),
  requirements: list(matchExpression),
  name: string().optional(),
  deprecated: boolean().optional(),
});

export const ec2CapacityReservation = object({
  availabilityZone: string(),
  id: string({ pattern: '^cr-[0-9a-z]+$' }),
  instanceMatchCriteria: enumOf(['open', 'targeted']),
  instanceType: string(),
  ownerID: string({ pattern: '^[0-9]{12}$' }),
  endTime: dateTime().optional(),
  interruptible: boolean().optional(),
  reservationType: enumOf(['default', 'capacity-block']).optional().default('default'),
  state: enumOf(['active', 'expiring']).optional().default('active'),
});

export const ec2SecurityGroup = object({
  id: string(),
  name: string().optional(),
});

export const ec2Subnet = object({
  id: string(),
  zone: string(),
  zoneID: string().optional(),
});

export const ec2NodeClassStatus = object({
  amis: list(ec2Ami).optional(),
  capacityReservations: list(ec2CapacityReservation).optional(),
  conditions: list(condition).optional(),
  instanceProfile: string().optional(),
  securityGroups: list(ec2SecurityGroup).optional(),
  subnets: list(ec2Subnet).optional(),
});
