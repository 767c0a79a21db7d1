/** What a user asks of a node pool. */
import { localObjectReference } from '../common/references.ts';
import { releaseImage } from '../hosted-cluster/release.ts';
import { nodePoolPlatform } from '../platforms/node-pool-platform.ts';
import { enumOf, int32, list, object, raw, string, stringMap } from '../schema/index.ts';
import { nodePoolManagement } from './management.ts';

export const nodePoolTaint = object({
  key: string({ minLength: 1, maxLength: 253 }).rule(
    raw`self.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$')`,
    'key must be a qualified name with an optional subdomain prefix e.g. example.com/MyName',
  ),
  effect: enumOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  value: string({ maxLength: 253 })
    .optional()
    .rule(
      "self.matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$')",
      "Value must start and end with alphanumeric characters and can only contain '-', '_', '.' in the middle",
    ),
});

export const nodePoolAutoScaling = object({
  max: int32({ minimum: 1 }),
  min: int32({ minimum: 0 }),
}).rule('self.max >= self.min', 'max must be equal or greater than min');

export const nodePoolSpec = object({
  clusterName: string({ minLength: 1, maxLength: 253 })
    .immutable('ClusterName is immutable')
    .rule(
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      "clusterName must consist of lowercase alphanumeric characters or '-', start and end with an alphanumeric character, and be between 1 and 253 characters",
    ),
  management: nodePoolManagement,
  platform: nodePoolPlatform,
  release: releaseImage,
  arch: enumOf(['arm64', 'amd64', 'ppc64le', 's390x']).optional().default('amd64').immutable('Arch is immutable'),
  autoScaling: nodePoolAutoScaling.optional(),
  config: list(localObjectReference, { maxItems: 10 }).optional(),
  nodeDrainTimeout: string().optional(),
  nodeLabels: stringMap().optional(),
  nodeVolumeDetachTimeout: string().optional(),
  osImageStream: object({
    name: enumOf(['rhel-9', 'rhel-10']),
  })
    .optional()
    .gate('OSStreams')
    .rule(
      "!has(oldSelf.name) || oldSelf.name != 'rhel-10' || (has(self.name) && self.name != 'rhel-9')",
      'OS stream downgrade from rhel-10 to rhel-9 is not allowed; create a new NodePool instead',
    ),
  pausedUntil: string({ minLength: 1, maxLength: 35 })
    .optional()
    .rule(
      raw`self.matches('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}.*$') || self in ['true', 'false', 'True', 'False']`,
      "PausedUntil must be a date in RFC3339 format or 'True', 'true', 'False' or 'false'",
    ),
  replicas: int32().optional(),
  taints: list(nodePoolTaint, { maxItems: 50 }).optional(),
  tuningConfig: list(localObjectReference, { maxItems: 10 }).optional(),
})
  .rule(
    '!has(oldSelf.osImageStream) || has(self.osImageStream)',
    'osImageStream cannot be removed once set; create a new NodePool instead',
    { gate: 'OSStreams' },
  )
  .rule('!has(oldSelf.arch) || has(self.arch)', 'Arch is required once set')
  .rule(
    "self.arch != 'arm64' || has(self.platform.aws) || has(self.platform.azure) || has(self.platform.agent) || self.platform.type == 'GCP' || self.platform.type == 'None'",
    'Setting Arch to arm64 is only supported for AWS, Azure, Agent, GCP and None',
  )
  .rule('!has(self.replicas) || !has(self.autoScaling)', 'Both replicas or autoScaling should not be set')
  .rule("self.arch != 's390x' || has(self.platform.kubevirt)", 's390x is only supported on KubeVirt platform')
  .rule(
    "!has(self.platform.aws) || !has(self.platform.aws.imageType) || self.platform.aws.imageType != 'Windows' || self.arch == 'amd64'",
    "ImageType 'Windows' requires arch 'amd64' (AWS only)",
  )
  .rule(
    "!has(self.autoScaling) || self.autoScaling.min > 0 || self.platform.type == 'AWS' || self.platform.type == 'Azure'",
    'Scale-from-zero (autoScaling.min=0) is currently only supported for AWS and Azure platforms',
  );
