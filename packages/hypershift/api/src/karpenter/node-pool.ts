/** Nodes Karpenter may make. */
import { condition } from '../common/conditions.ts';
import {
  defineKind,
  enumOf,
  int32,
  int64,
  integer,
  list,
  map,
  object,
  quantity,
  raw,
  resourceOf,
  string,
  stringMap,
  type ManifestOf,
  type ObjectOf,
} from '../schema/index.ts';
import { nodeClaimNodeClassRef, nodeClaimStartupTaint } from './node-claim.ts';

export const karpenterRequirement = object({
  key: string({
    maxLength: 316,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`,
  })
    .rule(
      'self in ["karpenter.sh/capacity-type", "karpenter.sh/nodepool"] || !self.find("^([^/]+)").endsWith("karpenter.sh")',
      'label domain "karpenter.sh" is restricted',
    )
    .rule('self != "karpenter.sh/nodepool"', 'label "karpenter.sh/nodepool" is restricted')
    .rule('self != "kubernetes.io/hostname"', 'label "kubernetes.io/hostname" is restricted')
    .rule(
      'self in ["karpenter.k8s.aws/instance-tenancy", "karpenter.k8s.aws/capacity-reservation-type", "karpenter.k8s.aws/capacity-reservation-id", "karpenter.k8s.aws/capacity-reservation-interruptible", "karpenter.k8s.aws/ec2nodeclass", "karpenter.k8s.aws/instance-encryption-in-transit-supported", "karpenter.k8s.aws/instance-category", "karpenter.k8s.aws/instance-hypervisor", "karpenter.k8s.aws/instance-family", "karpenter.k8s.aws/instance-generation", "karpenter.k8s.aws/instance-local-nvme", "karpenter.k8s.aws/instance-size", "karpenter.k8s.aws/instance-cpu", "karpenter.k8s.aws/instance-cpu-manufacturer", "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz", "karpenter.k8s.aws/instance-memory", "karpenter.k8s.aws/instance-ebs-bandwidth", "karpenter.k8s.aws/instance-network-bandwidth", "karpenter.k8s.aws/instance-gpu-name", "karpenter.k8s.aws/instance-gpu-manufacturer", "karpenter.k8s.aws/instance-gpu-count", "karpenter.k8s.aws/instance-gpu-memory", "karpenter.k8s.aws/instance-accelerator-name", "karpenter.k8s.aws/instance-accelerator-manufacturer", "karpenter.k8s.aws/instance-accelerator-count", "karpenter.k8s.aws/instance-capability-flex", "karpenter.k8s.aws/placement-group-id", "karpenter.k8s.aws/placement-group-partition"] || !self.find("^([^/]+)").endsWith("karpenter.k8s.aws")',
      'label domain "karpenter.k8s.aws" is restricted',
    ),
  operator: enumOf(['Gte', 'Lte', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
  minValues: integer({ minimum: 1, maximum: 50 }).optional(),
  values: list(string(), { type: 'atomic' }).optional(),
});

export const karpenterNodeTemplateSpec = object({
  nodeClassRef: nodeClaimNodeClassRef
    .rule('self.group == oldSelf.group', 'nodeClassRef.group is immutable')
    .rule('self.kind == oldSelf.kind', 'nodeClassRef.kind is immutable'),
  requirements: list(karpenterRequirement, { type: 'atomic', maxItems: 100 })
    .rule(
      "self.all(x, x.operator == 'In' ? x.values.size() != 0 : true)",
      "requirements with operator 'In' must have a value defined",
    )
    .rule(
      "self.all(x, (x.operator == 'Gt' || x.operator == 'Lt' || x.operator == 'Gte' || x.operator == 'Lte') ? (x.values.size() == 1 && int(x.values[0]) >= 0) : true)",
      "requirements operator 'Gt', 'Lt', 'Gte', or 'Lte' must have a single positive integer value",
    )
    .rule(
      "self.all(x, (x.operator == 'In' && has(x.minValues)) ? x.values.size() >= x.minValues : true)",
      "requirements with 'minValues' must have at least that many values specified in the 'values' field",
    ),
  expireAfter: string({ pattern: '^(([0-9]+(s|m|h))+|Never)$' }).optional().default('720h'),
  startupTaints: list(nodeClaimStartupTaint, { type: 'atomic' }).optional(),
  taints: list(nodeClaimStartupTaint, { type: 'atomic' }).optional(),
  terminationGracePeriod: string({ pattern: '^([0-9]+(s|m|h))+$' }).optional(),
});

export const karpenterNodeTemplateMetadata = object({
  annotations: stringMap().optional(),
  labels: map(string({ maxLength: 63, pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$' }), {
    maxProperties: 100,
    atomic: true,
  })
    .optional()
    .rule(
      'self.all(x, x in ["karpenter.sh/capacity-type", "karpenter.sh/nodepool"] || !x.find("^([^/]+)").endsWith("karpenter.sh"))',
      'label domain "karpenter.sh" is restricted',
    )
    .rule('self.all(x, x != "karpenter.sh/nodepool")', 'label "karpenter.sh/nodepool" is restricted')
    .rule('self.all(x, x != "kubernetes.io/hostname")', 'label "kubernetes.io/hostname" is restricted')
    .rule(
      'self.all(x, x in ["karpenter.k8s.aws/instance-tenancy", "karpenter.k8s.aws/capacity-reservation-type", "karpenter.k8s.aws/capacity-reservation-id", "karpenter.k8s.aws/capacity-reservation-interruptible", "karpenter.k8s.aws/capacity-reservation-interruptible", "karpenter.k8s.aws/ec2nodeclass", "karpenter.k8s.aws/instance-encryption-in-transit-supported", "karpenter.k8s.aws/instance-category", "karpenter.k8s.aws/instance-hypervisor", "karpenter.k8s.aws/instance-family", "karpenter.k8s.aws/instance-generation", "karpenter.k8s.aws/instance-local-nvme", "karpenter.k8s.aws/instance-size", "karpenter.k8s.aws/instance-cpu", "karpenter.k8s.aws/instance-cpu-manufacturer", "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz", "karpenter.k8s.aws/instance-memory", "karpenter.k8s.aws/instance-ebs-bandwidth", "karpenter.k8s.aws/instance-network-bandwidth", "karpenter.k8s.aws/instance-gpu-name", "karpenter.k8s.aws/instance-gpu-manufacturer", "karpenter.k8s.aws/instance-gpu-count", "karpenter.k8s.aws/instance-gpu-memory", "karpenter.k8s.aws/instance-accelerator-name", "karpenter.k8s.aws/instance-accelerator-manufacturer", "karpenter.k8s.aws/instance-accelerator-count", "karpenter.k8s.aws/instance-capability-flex", "karpenter.k8s.aws/placement-group-id", "karpenter.k8s.aws/placement-group-partition"] || !x.find("^([^/]+)").endsWith("karpenter.k8s.aws"))',
      'label domain "karpenter.k8s.aws" is restricted',
    ),
});

export const karpenterNodeTemplate = object({
  spec: karpenterNodeTemplateSpec,
  metadata: karpenterNodeTemplateMetadata.optional(),
});

export const karpenterBudget = object({
  nodes: string({ pattern: '^((100|[0-9]{1,2})%|[0-9]+)$' }).default('10%'),
  duration: string({ pattern: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$' }).optional(),
  reasons: list(enumOf(['Underutilized', 'Empty', 'Drifted']), { type: 'set', maxItems: 50 }).optional(),
  schedule: string({
    pattern: raw`^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\s(.+)\s(.+)\s(.+)\s(.+))$`,
  }).optional(),
});

export const karpenterDisruption = object({
  consolidateAfter: string({ pattern: '^(([0-9]+(s|m|h))+|Never)$' }),
  budgets: list(karpenterBudget, { type: 'atomic', maxItems: 50 })
    .optional()
    .default([{ nodes: '10%' }])
    .rule('self.all(x, has(x.schedule) == has(x.duration))', "'schedule' must be set with 'duration'"),
  consolidationPolicy: enumOf(['WhenEmpty', 'WhenEmptyOrUnderutilized']).optional().default('WhenEmptyOrUnderutilized'),
});

export const karpenterNodePoolSpec = object({
  template: karpenterNodeTemplate,
  disruption: karpenterDisruption.optional().default({ consolidateAfter: '0s' }),
  limits: map(quantity()).optional(),
  replicas: int64({ minimum: 0 }).optional(),
  weight: int32({ minimum: 1, maximum: 100 }).optional(),
})
  .rule(
    'has(self.replicas) == has(oldSelf.replicas)',
    'Cannot transition NodePool between static (replicas set) and dynamic (replicas unset) provisioning modes',
  )
  .rule(
    "!has(self.replicas) || (!has(self.limits) || size(self.limits) == 0 || (size(self.limits) == 1 && 'nodes' in self.limits))",
    "only 'limits.nodes' is supported on static NodePools",
  )
  .rule('!has(self.replicas) || !has(self.weight)', "'weight' is not supported on static NodePools");

export const karpenterNodePoolStatus = object({
  conditions: list(condition, { type: 'map', keys: ['type'] }).optional(),
  nodeClassObservedGeneration: int64().optional(),
  nodes: int64().optional().default(0),
  resources: map(quantity()).optional(),
});

export const karpenterNodePool = defineKind({
  group: 'karpenter.sh',
  version: 'v1',
  kind: 'NodePool',
  plural: 'nodepools',
  categories: ['karpenter'],
  scope: 'Cluster',
  description: '',
  columns: [
    { name: 'NodeClass', type: 'string', jsonPath: '.spec.template.spec.nodeClassRef.name' },
    { name: 'Nodes', type: 'string', jsonPath: '.status.nodes' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
    { name: 'CPU', type: 'string', jsonPath: '.status.resources.cpu', priority: 1 },
    { name: 'Memory', type: 'string', jsonPath: '.status.resources.memory', priority: 1 },
  ],
  statusSubresource: true,
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.nodes' },
  fields: {
    spec: karpenterNodePoolSpec,
    status: karpenterNodePoolStatus.optional(),
  },
});

/** A KarpenterNodePool as an API server hands it out: defaults are filled in. */
export type KarpenterNodePool = ObjectOf<typeof karpenterNodePool>;

/** A KarpenterNodePool as a client may send it. */
export type KarpenterNodePoolManifest = ManifestOf<typeof karpenterNodePool>;

export const karpenterNodePools = resourceOf(karpenterNodePool);
