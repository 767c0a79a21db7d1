/** What a user asks of a node pool. */
import { localObjectReference } from '../common/references.ts';
import { releaseImage } from '../hosted-cluster/release.ts';
import { nodePoolPlatform } from '../platforms/node-pool-platform.ts';
import { enumOf, int32, list, object, raw, string, stringMap } from '../schema/index.ts';
import { nodePoolManagement } from './management.ts';

export const nodePoolTaint = object({
  key: string({ minLength: 1, maxLength: 253 })
    .describe('Key of the taint.')
    .rule(
      raw`self.matches('^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*\\/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$')`,
      'key must be a qualified name with an optional subdomain prefix e.g. example.com/MyName',
    ),
  effect: enumOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).describe(
    'What happens to pods that do not tolerate it: kept away, kept away if possible, or evicted as well.',
  ),
  value: string({ maxLength: 253 })
    .optional()
    .describe('Value of the taint.')
    .rule(
      "self.matches('^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$')",
      "Value must start and end with alphanumeric characters and can only contain '-', '_', '.' in the middle",
    ),
});

export const nodePoolAutoScaling = object({
  max: int32({ minimum: 1 }).describe('Most nodes the pool may have.'),
  min: int32({ minimum: 0 }).describe('Fewest nodes the pool may have; zero works on AWS and Azure only.'),
})
  .describe('Bounds within which the cluster autoscaler chooses the size.')
  .rule('self.max >= self.min', 'max must be equal or greater than min');

export const nodePoolSpec = object({
  clusterName: string({ minLength: 1, maxLength: 253 })
    .describe('HostedCluster the pool belongs to, in the same namespace. Names with dots are not accepted here.')
    .immutable('ClusterName is immutable')
    .rule(
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      "clusterName must consist of lowercase alphanumeric characters or '-', start and end with an alphanumeric character, and be between 1 and 253 characters",
    ),
  management: nodePoolManagement,
  platform: nodePoolPlatform,
  release: releaseImage.describe(
    'Release of the nodes: not newer than the cluster and at most three minor versions older.',
    'A change updates the nodes.',
  ),
  arch: enumOf(['arm64', 'amd64', 'ppc64le', 's390x'])
    .optional()
    .default('amd64')
    .describe('CPU architecture of the nodes; platform and release image must support it. Decided at creation.')
    .immutable('Arch is immutable'),
  autoScaling: nodePoolAutoScaling.optional(),
  config: list(localObjectReference, { maxItems: 10 })
    .optional()
    .describe(
      'ConfigMaps whose `config` holds MachineConfig, KubeletConfig and similar manifests;',
      'a change updates the nodes.',
    ),
  nodeDrainTimeout: string()
    .optional()
    .describe(
      'How long pods may take to leave a node that goes away; absent or zero waits for ever.',
      'Changes apply without new nodes.',
    ),
  nodeLabels: stringMap()
    .optional()
    .describe('Labels a node gets when it joins; later changes do not reach existing nodes.'),
  nodeVolumeDetachTimeout: string()
    .optional()
    .describe(
      'How long volumes may take to leave a node that goes away; absent or zero waits for ever.',
      'Changes apply without new nodes.',
    ),
  osImageStream: object({
    name: enumOf(['rhel-9', 'rhel-10']).describe('Operating system generation; going back to an older one is refused.'),
  })
    .optional()
    .gate('OSStreams')
    .describe(
      'Generation of the operating system on the nodes; absent means that of the release,',
      '`rhel-9` before 5.0 and `rhel-10` from then on. A change updates the nodes.',
    )
    .rule(
      "!has(oldSelf.name) || oldSelf.name != 'rhel-10' || (has(self.name) && self.name != 'rhel-9')",
      'OS stream downgrade from rhel-10 to rhel-9 is not allowed; create a new NodePool instead',
    ),
  pausedUntil: string({ minLength: 1, maxLength: 35 })
    .optional()
    .describe('Stops reconciliation until this RFC3339 time, or with `true` until the field is removed.')
    .rule(
      raw`self.matches('^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}.*$') || self in ['true', 'false', 'True', 'False']`,
      "PausedUntil must be a date in RFC3339 format or 'True', 'true', 'False' or 'false'",
    ),
  replicas: int32()
    .optional()
    .describe('Number of nodes; absent without autoscaling means zero. Not together with `autoScaling`.'),
  taints: list(nodePoolTaint, { maxItems: 50 })
    .optional()
    .describe('Taints a node gets when it joins; later changes do not reach existing nodes.'),
  tuningConfig: list(localObjectReference, { maxItems: 10 })
    .optional()
    .describe(
      'ConfigMaps whose `tuning` holds a Tuned or PerformanceProfile manifest;',
      'a change that touches kernel or kubelet settings updates the nodes.',
    ),
})
  .describe('What a pool of nodes should be like.')
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
