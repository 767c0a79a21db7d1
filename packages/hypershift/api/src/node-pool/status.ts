/** What is known about a node pool. */
import { nodePoolPlatformStatus } from '../platforms/node-pool-platform.ts';
import { dateTime, enumOf, int32, int64, list, object, raw, string } from '../schema/index.ts';

export const nodePoolCondition = object({
  type: string({ maxLength: 316 }).describe('What the condition is about, such as `Ready`.'),
  lastTransitionTime: dateTime().describe('When `status` last flipped.'),
  status: string().describe('`True`, `False` or `Unknown`; other text is not refused.'),
  message: string({ maxLength: 32768 }).optional().describe('Explanation for people; do not parse it.'),
  observedGeneration: int64({ minimum: 0 })
    .optional()
    .describe('`metadata.generation` the condition was computed for.'),
  reason: string({ maxLength: 1024 })
    .optional()
    .describe('Why the status is what it is; may be several reasons joined with commas, taken from the machines.'),
  severity: string({ maxLength: 1024 })
    .optional()
    .describe('How bad a `False` status is, as Cluster API grades it; empty when the condition is true.'),
});

export const nodePoolNodeVersion = object({
  kubeletVersion: string({ minLength: 1, maxLength: 64 })
    .describe('Version of the kubelet on these nodes.')
    .rule(
      raw`self.matches('^v?\\d+\\.\\d+\\.\\d+.*$')`,
      "kubeletVersion must start with semantic version prefix x.y.z (optional leading 'v')",
    ),
  ocpVersion: string({ minLength: 1, maxLength: 64 })
    .describe('OpenShift version these nodes were made for.')
    .rule(raw`self.matches('^\\d+\\.\\d+\\.\\d+.*$')`, 'ocpVersion must start with semantic version prefix x.y.z'),
  readyNodeCount: int32({ minimum: 0 }).describe('How many of these nodes are ready.'),
  unreadyNodeCount: int32({ minimum: 0 }).describe('How many of these nodes are not ready.'),
});

export const nodePoolStatus = object({
  conditions: list(nodePoolCondition, { maxItems: 100 })
    .optional()
    .describe('Latest findings about the pool; a plain list, so look entries up by type.'),
  nodesInfo: object({
    nodeVersions: list(nodePoolNodeVersion, { type: 'atomic', minItems: 1, maxItems: 100 }).describe(
      'Nodes counted by version.',
    ),
  })
    .optional()
    .describe('What the existing nodes run, useful during updates.'),
  osImageStream: object({
    name: enumOf(['rhel-9', 'rhel-10']).describe('Operating system generation.'),
  })
    .optional()
    .gate('OSStreams')
    .describe('Generation of the operating system the nodes run.'),
  platform: nodePoolPlatformStatus.optional(),
  replicas: int32().optional().describe('Number of nodes that are available.'),
  version: string({ maxLength: 64 })
    .optional()
    .describe('Version all nodes have reached; lags behind the spec until an update is complete.'),
}).describe('What is known about the pool.');
