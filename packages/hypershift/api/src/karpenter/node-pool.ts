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
    .describe('Node label the requirement looks at, for example `karpenter.sh/capacity-type`.')
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
  operator: enumOf(['Gte', 'Lte', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']).describe(
    'Test to apply to the label; the comparing ones take a single whole number.',
  ),
  minValues: integer({ minimum: 1, maximum: 50 })
    .optional()
    .describe('Least number of different values that must stay possible, to keep a choice of instance types.'),
  values: list(string(), { type: 'atomic' })
    .optional()
    .describe('Values for the test; empty for the two existence tests.'),
});

export const karpenterNodeTemplateSpec = object({
  nodeClassRef: nodeClaimNodeClassRef
    .rule('self.group == oldSelf.group', 'nodeClassRef.group is immutable')
    .rule('self.kind == oldSelf.kind', 'nodeClassRef.kind is immutable'),
  requirements: list(karpenterRequirement, { type: 'atomic', maxItems: 100 })
    .describe('Label tests nodes must pass, all of them; together with the pods they decide on the instance type.')
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
  expireAfter: string({ pattern: '^(([0-9]+(s|m|h))+|Never)$' })
    .optional()
    .default('720h')
    .describe('Age at which nodes are replaced, or `Never`.'),
  startupTaints: list(nodeClaimStartupTaint, { type: 'atomic' })
    .optional()
    .describe(
      'Taints that something on the node removes once it is set up;',
      'pods need not tolerate them for the node to be made.',
    ),
  taints: list(nodeClaimStartupTaint, { type: 'atomic' })
    .optional()
    .describe('Taints nodes keep; nodes are made only for pods that tolerate them.'),
  terminationGracePeriod: string({ pattern: '^([0-9]+(s|m|h))+$' })
    .optional()
    .describe(
      'Longest time draining may take before a node goes regardless, disruption budgets included;',
      'absent waits for ever.',
    ),
}).describe('What nodes of the pool should be like.');

export const karpenterNodeTemplateMetadata = object({
  annotations: stringMap().optional().describe('Annotations nodes get.'),
  labels: map(string({ maxLength: 63, pattern: '^(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?$' }), {
    maxProperties: 100,
    atomic: true,
  })
    .optional()
    .describe('Labels nodes get, and pods may ask for.')
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
}).describe('Labels and annotations of the nodes.');

export const karpenterNodeTemplate = object({
  spec: karpenterNodeTemplateSpec,
  metadata: karpenterNodeTemplateMetadata.optional(),
}).describe('Template of the nodes; a change replaces those that no longer fit it.');

export const karpenterBudget = object({
  nodes: string({ pattern: '^((100|[0-9]{1,2})%|[0-9]+)$' })
    .default('10%')
    .describe('Nodes that may be disrupted at the same time, as a number or percentage; `0` forbids it.'),
  duration: string({ pattern: '^((([0-9]+(h|m))|([0-9]+h[0-9]+m))(0s)?)$' })
    .optional()
    .describe('How long the budget holds after each start; needed with `schedule`, without both it always holds.'),
  reasons: list(enumOf(['Underutilized', 'Empty', 'Drifted']), { type: 'set', maxItems: 50 })
    .optional()
    .describe('Reasons for disruption the budget is about; absent means all.'),
  schedule: string({
    pattern: raw`^(@(annually|yearly|monthly|weekly|daily|midnight|hourly))|((.+)\s(.+)\s(.+)\s(.+)\s(.+))$`,
  })
    .optional()
    .describe('When the budget begins to hold, as a cron line in UTC.'),
});

export const karpenterDisruption = object({
  consolidateAfter: string({ pattern: '^(([0-9]+(s|m|h))+|Never)$' }).describe(
    'How long no pod must have come or gone before a node may be removed to save money;',
    '`Never` switches it off.',
  ),
  budgets: list(karpenterBudget, { type: 'atomic', maxItems: 50 })
    .optional()
    .default([{ nodes: '10%' }])
    .describe('Bounds on nodes disrupted at the same time; the strictest that holds counts.')
    .rule('self.all(x, has(x.schedule) == has(x.duration))', "'schedule' must be set with 'duration'"),
  consolidationPolicy: enumOf(['WhenEmpty', 'WhenEmptyOrUnderutilized'])
    .optional()
    .default('WhenEmptyOrUnderutilized')
    .describe('Whether only empty nodes are removed, or also those whose pods fit elsewhere or on something cheaper.'),
}).describe('When Karpenter may remove or replace nodes of its own accord.');

export const karpenterNodePoolSpec = object({
  template: karpenterNodeTemplate,
  disruption: karpenterDisruption.optional().default({ consolidateAfter: '0s' }),
  limits: map(quantity())
    .optional()
    .describe(
      'Most resources nodes of the pool may have in sum; reached, no more are made.',
      'It can be overshot a little.',
    ),
  replicas: int64({ minimum: 0 })
    .optional()
    .describe(
      'Fixed number of nodes, kept whether or not pods need them; absent makes nodes on demand.',
      'One cannot turn into the other.',
    ),
  weight: int32({ minimum: 1, maximum: 100 })
    .optional()
    .describe('Pools with a higher weight are tried first; absent counts as zero.'),
})
  .describe('Which nodes Karpenter may make and when they go.')
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
  conditions: list(condition, { type: 'map', keys: ['type'] })
    .optional()
    .describe('Whether the pool and its node class can be used.'),
  nodeClassObservedGeneration: int64()
    .optional()
    .describe('Generation of the node class the pool was last checked against.'),
  nodes: int64().optional().default(0).describe('Number of nodes in the pool.'),
  resources: map(quantity()).optional().describe('Resources of all nodes in sum.'),
}).describe('What is known about the pool.');

export const karpenterNodePool = defineKind({
  group: 'karpenter.sh',
  version: 'v1',
  kind: 'NodePool',
  plural: 'nodepools',
  categories: ['karpenter'],
  scope: 'Cluster',
  description:
    'Rules by which Karpenter makes nodes for waiting pods. Not to be confused with the NodePool of HyperShift, which has a size of its own.',
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
