/** What Karpenter found for an EC2NodeClass. */
import { condition } from '../common/conditions.ts';
import { matchExpression } from '../common/scheduling.ts';
import { boolean, dateTime, enumOf, list, object, string } from '../schema/index.ts';

export const ec2Ami = object({
  id: string().describe('Identifier of the image.'),
  requirements: list(matchExpression).describe(
    'Instance properties the image suits, for example the CPU architecture.',
  ),
  name: string().optional().describe('Name of the image.'),
  deprecated: boolean().optional().describe('Whether the owner has declared the image out of date.'),
});

export const ec2CapacityReservation = object({
  availabilityZone: string().describe('Zone the capacity is in.'),
  id: string({ pattern: '^cr-[0-9a-z]+$' }).describe('Identifier of the reservation.'),
  instanceMatchCriteria: enumOf(['open', 'targeted']).describe(
    'Kind of reservation: open to any fitting instance, or only for those that name it.',
  ),
  instanceType: string().describe('Instance type the capacity is for.'),
  ownerID: string({ pattern: '^[0-9]{12}$' }).describe('AWS account that owns the reservation.'),
  endTime: dateTime().optional().describe('When the reservation ends; absent means when somebody cancels it.'),
  interruptible: boolean().optional().describe('Whether the capacity can be taken back at any time.'),
  reservationType: enumOf(['default', 'capacity-block'])
    .optional()
    .default('default')
    .describe('Ordinary reservation or capacity block.'),
  state: enumOf(['active', 'expiring'])
    .optional()
    .default('active')
    .describe('Whether the reservation can be used, or is about to end and its nodes are drained.'),
});

export const ec2SecurityGroup = object({
  id: string().describe('Identifier of the group.'),
  name: string().optional().describe('Name of the group.'),
});

export const ec2Subnet = object({
  id: string().describe('Identifier of the subnet.'),
  zone: string().describe('Availability zone by name, which means different places in different accounts.'),
  zoneID: string().optional().describe('Availability zone by identifier, which means the same place in all accounts.'),
});

export const ec2NodeClassStatus = object({
  amis: list(ec2Ami).optional().describe('Images that were found.'),
  capacityReservations: list(ec2CapacityReservation).optional().describe('Reservations that were found.'),
  conditions: list(condition)
    .optional()
    .describe('Whether each thing the class needs was found, and `Ready` for all together.'),
  instanceProfile: string().optional().describe('Instance profile new instances get.'),
  securityGroups: list(ec2SecurityGroup).optional().describe('Security groups that were found.'),
  subnets: list(ec2Subnet).optional().describe('Subnets that were found.'),
}).describe('What Karpenter found on AWS for this class.');
