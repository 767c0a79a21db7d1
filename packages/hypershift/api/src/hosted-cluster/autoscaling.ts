/** How the cluster autoscaler of a hosted cluster behaves, and node provisioning without pools. */
import { enumOf, int32, list, object, raw, string } from '../schema/index.ts';

export const scaleDown = object({
  delayAfterAddSeconds: int32({ minimum: 0, maximum: 86400 }).optional(),
  delayAfterDeleteSeconds: int32({ minimum: 0, maximum: 86400 }).optional(),
  delayAfterFailureSeconds: int32({ minimum: 0, maximum: 86400 }).optional(),
  unneededDurationSeconds: int32({ minimum: 0, maximum: 86400 }).optional(),
  utilizationThresholdPercent: int32({ minimum: 0, maximum: 100 }).optional(),
});

export const clusterAutoscaling = object({
  balancingIgnoredLabels: list(string({ maxLength: 317 }), { maxItems: 64 })
    .optional()
    .rule(
      raw`self.all(l, l.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[a-zA-Z0-9]([a-zA-Z0-9_.-]{0,61}[a-zA-Z0-9])?$'))`,
      'Each balancingIgnoredLabels item must be a valid label key',
    ),
  expanders: list(enumOf(['LeastWaste', 'Priority', 'Random']), { minItems: 1, maxItems: 3 }).optional(),
  maxFreeDifferenceRatioPercent: int32({ minimum: 0, maximum: 100 }).optional(),
  maxNodeProvisionTime: string({ maxLength: 100, pattern: raw`^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|m|h))+$` }).optional(),
  maxNodesTotal: int32({ minimum: 0 }).optional(),
  maxPodGracePeriod: int32({ minimum: 0 }).optional(),
  podPriorityThreshold: int32().optional(),
  scaleDown: scaleDown.optional(),
  scaling: enumOf(['ScaleUpOnly', 'ScaleUpAndScaleDown']).optional().default('ScaleUpAndScaleDown'),
}).rule(
  "self.scaling == 'ScaleUpAndScaleDown' ? true : !has(self.scaleDown)",
  'scaleDown can only be set when scaling is ScaleUpAndScaleDown',
);

export const karpenterProvisioner = object({
  platform: enumOf(['AWS'], { maxLength: 100 }),
  aws: object({
    roleARN: string({ maxLength: 2048 }).rule(
      "self.matches('^arn:(aws|aws-cn|aws-us-gov):iam::[0-9]{12}:role/.+$')",
      'roleARN must be a valid AWS IAM role ARN (e.g. arn:aws:iam::123456789012:role/MyRole)',
    ),
  }).optional(),
}).rule(
  "self.platform == 'AWS' ? has(self.aws) : !has(self.aws)",
  'aws is required when platform is AWS, and forbidden otherwise',
);

export const provisionerConfig = object({
  name: enumOf(['Karpenter']),
  karpenter: karpenterProvisioner.optional(),
}).rule(
  "self.name == 'Karpenter' ? has(self.karpenter) : !has(self.karpenter)",
  'karpenter is required when name is Karpenter, and forbidden otherwise',
);

export const autoNode = object({
  provisionerConfig,
});

export const autoNodeStatus = object(
  {
    nodeClaimCount: int32({ minimum: 0 }).optional(),
    nodeCount: int32({ minimum: 0 }).optional(),
    vcpus: int32({ minimum: 0, maximum: 1000000 }).optional(),
  },
  { minProperties: 1 },
);
