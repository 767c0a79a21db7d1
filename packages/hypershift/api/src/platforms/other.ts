/** Platforms with next to no settings: Agent and IBM Cloud. */
import { labelSelector } from '../common/scheduling.ts';
import { object, string } from '../schema/index.ts';

export const agentPlatform = object({
  agentNamespace: string({ maxLength: 63 }).describe('Namespace in which hosts are looked for; it must exist.'),
}).describe('Settings of a cluster whose nodes are hosts registered with the assisted installer.');

export const agentNodePoolPlatform = object({
  agentLabelSelector: labelSelector
    .optional()
    .describe('Labels a registered host must have to be taken; absent takes any free one.'),
}).describe('Settings of nodes that are registered hosts.');

export const ibmCloudPlatform = object({
  providerType: string()
    .optional()
    .describe('Kind of IBM Cloud infrastructure, for example `VPC` or `UPI`; any text is accepted.'),
}).describe('Settings of a cluster on IBM Cloud.');
