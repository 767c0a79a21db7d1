/** Platforms with next to no settings: Agent and IBM Cloud. */
import { labelSelector } from '../common/scheduling.ts';
import { object, string } from '../schema/index.ts';

export const agentPlatform = object({
  agentNamespace: string({ maxLength: 63 }),
});

export const agentNodePoolPlatform = object({
  agentLabelSelector: labelSelector.optional(),
});

export const ibmCloudPlatform = object({
  providerType: string().optional(),
});
