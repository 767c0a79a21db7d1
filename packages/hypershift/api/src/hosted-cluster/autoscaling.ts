/** How the cluster autoscaler of a hosted cluster behaves, and node provisioning without pools. */
import { enumOf, int32, list, object, raw, string } from '../schema/index.ts';

export const scaleDown = object({
  delayAfterAddSeconds: int32({ minimum: 0, maximum: 86400 })
    .optional()
    .describe('Seconds without scale down after a node was added; the autoscaler assumes 600.'),
  delayAfterDeleteSeconds: int32({ minimum: 0, maximum: 86400 })
    .optional()
    .describe('Seconds without scale down after a node was removed; the autoscaler assumes 0.'),
  delayAfterFailureSeconds: int32({ minimum: 0, maximum: 86400 })
    .optional()
    .describe('Seconds without scale down after one failed; the autoscaler assumes 180.'),
  unneededDurationSeconds: int32({ minimum: 0, maximum: 86400 })
    .optional()
    .describe('Seconds a node must have been superfluous before it goes; the autoscaler assumes 600.'),
  utilizationThresholdPercent: int32({ minimum: 0, maximum: 100 })
    .optional()
    .describe('A node whose requests use less than this share of it counts as superfluous; the autoscaler assumes 50.'),
}).describe('When the autoscaler may remove nodes.');

export const clusterAutoscaling = object({
  balancingIgnoredLabels: list(string({ maxLength: 317 }), { maxItems: 64 })
    .optional()
    .describe(
      'Node labels that do not count when deciding which pools are alike and should be kept equally large;',
      'the usual ones of the platform are added.',
    )
    .rule(
      raw`self.all(l, l.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[a-zA-Z0-9]([a-zA-Z0-9_.-]{0,61}[a-zA-Z0-9])?$'))`,
      'Each balancingIgnoredLabels item must be a valid label key',
    ),
  expanders: list(enumOf(['LeastWaste', 'Priority', 'Random']), { minItems: 1, maxItems: 3 })
    .optional()
    .describe(
      'How to choose between pools that could take the waiting pods, in order of importance.',
      '`LeastWaste` leaves the least CPU and memory idle, `Priority` follows a list in the cluster;',
      'absent means `Priority`, then `LeastWaste`.',
    ),
  maxFreeDifferenceRatioPercent: int32({ minimum: 0, maximum: 100 })
    .optional()
    .describe(
      'How much the free resources of two pools may differ for them to count as alike;',
      'the autoscaler assumes 10.',
    ),
  maxNodeProvisionTime: string({ maxLength: 100, pattern: raw`^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$` })
    .optional()
    .describe(
      'How long a new machine may take to become a node before the autoscaler gives up on it,',
      'for example `15m`, which is also what absent means.',
    ),
  maxNodesTotal: int32({ minimum: 0 })
    .optional()
    .describe(
      'Upper bound of nodes in the whole cluster, beyond which the autoscaler adds none; absent sets no bound.',
    ),
  maxPodGracePeriod: int32({ minimum: 0 })
    .optional()
    .describe('Seconds pods get to end when their node is removed; the autoscaler assumes 600.'),
  podPriorityThreshold: int32()
    .optional()
    .describe('Pods with a lower priority neither cause new nodes nor keep old ones; the autoscaler assumes -10.'),
  scaleDown: scaleDown.optional(),
  scaling: enumOf(['ScaleUpOnly', 'ScaleUpAndScaleDown'])
    .optional()
    .default('ScaleUpAndScaleDown')
    .describe('Whether the autoscaler also removes nodes or only adds them.'),
})
  .describe('Behaviour of the cluster autoscaler; it acts only on NodePools that have `autoScaling`.')
  .rule(
    "self.scaling == 'ScaleUpAndScaleDown' ? true : !has(self.scaleDown)",
    'scaleDown can only be set when scaling is ScaleUpAndScaleDown',
  );

export const karpenterProvisioner = object({
  platform: enumOf(['AWS'], { maxLength: 100 }).describe('Cloud Karpenter makes nodes on.'),
  aws: object({
    roleARN: string({ maxLength: 2048 })
      .describe('ARN of the IAM role Karpenter uses to manage instances.')
      .rule(
        "self.matches('^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role/.+$')",
        'roleARN must be a valid AWS IAM role ARN (e.g. arn:aws:iam::123456789012:role/MyRole)',
      ),
  })
    .optional()
    .describe('Settings for AWS.'),
})
  .describe('Settings of Karpenter.')
  .rule(
    "self.platform == 'AWS' ? has(self.aws) : !has(self.aws)",
    'aws is required when platform is AWS, and forbidden otherwise',
  );

export const provisionerConfig = object({
  name: enumOf(['Karpenter']).describe('Software that makes the nodes.'),
  karpenter: karpenterProvisioner.optional(),
})
  .describe('Which software makes the nodes, and its settings.')
  .rule(
    "self.name == 'Karpenter' ? has(self.karpenter) : !has(self.karpenter)",
    'karpenter is required when name is Karpenter, and forbidden otherwise',
  );

export const autoNode = object({
  provisionerConfig,
}).describe('Nodes made on demand by Karpenter instead of by NodePools; absent switches it off.');

export const autoNodeStatus = object(
  {
    nodeClaimCount: int32({ minimum: 0 })
      .optional()
      .describe('Number of nodes Karpenter has asked for, whether or not they have come up.'),
    nodeCount: int32({ minimum: 0 }).optional().describe('Number of nodes in the cluster that Karpenter made.'),
    vcpus: int32({ minimum: 0, maximum: 1000000 }).optional().describe('Sum of the virtual CPUs of those nodes.'),
  },
  { minProperties: 1 },
).describe('Size of the part of the cluster that Karpenter made.');
