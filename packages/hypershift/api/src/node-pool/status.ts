/** What is known about a node pool. */
import { nodePoolPlatformStatus } from '../platforms/node-pool-platform.ts';
import { dateTime, enumOf, int32, int64, list, object, raw, string } from '../schema/index.ts';

export const nodePoolCondition = object({
  type: string({ maxLength: 316 }),
  lastTransitionTime: dateTime(),
  status: string(),
  message: string({ maxLength: 32768 }).optional(),
  observedGeneration: int64({ minimum: 0 }).optional(),
  reason: string({ maxLength: 1024 }).optional(),
  severity: string({ maxLength: 1024 }).optional(),
});

export const nodePoolNodeVersion = object({
  kubeletVersion: string({ minLength: 1, maxLength: 64 }).rule(
    raw`self.matches('^v?\\d+\\.\\d+\\.\\d+.*$')`,
    "kubeletVersion must start with semantic version prefix x.y.z (optional leading 'v')",
  ),
  ocpVersion: string({ minLength: 1, maxLength: 64 }).rule(
    raw`self.matches('^\\d+\\.\\d+\\.\\d+.*$')`,
    'ocpVersion must start with semantic version prefix x.y.z',
  ),
  readyNodeCount: int32({ minimum: 0 }),
  unreadyNodeCount: int32({ minimum: 0 }),
});

export const nodePoolStatus = object({
  conditions: list(nodePoolCondition, { maxItems: 100 }).optional(),
  nodesInfo: object({
    nodeVersions: list(nodePoolNodeVersion, { type: 'atomic', minItems: 1, maxItems: 100 }),
  }).optional(),
  osImageStream: object({
    name: enumOf(['rhel-9', 'rhel-10']),
  })
    .optional()
    .gate('OSStreams'),
  platform: nodePoolPlatformStatus.optional(),
  replicas: int32().optional(),
  version: string({ maxLength: 64 }).optional(),
});
