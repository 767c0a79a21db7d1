/** One node Karpenter asked a cloud for. */
import {
  dateTime,
  defineKind,
  enumOf,
  int64,
  integer,
  list,
  map,
  object,
  quantity,
  raw,
  resourceOf,
  string,
  type ManifestOf,
  type ObjectOf,
} from '../schema/index.ts';

export const nodeClaimNodeClassRef = object({
  kind: string().describe('Kind of the node class.').rule("self != ''", 'kind may not be empty'),
  name: string().describe('Name of the node class.').rule("self != ''", 'name may not be empty'),
  group: string({ pattern: '^[^/]*$' })
    .describe('API group of the node class.')
    .rule("self != ''", 'group may not be empty'),
}).describe('Class with the cloud settings of the node.');

export const nodeClaimRequirement = object({
  key: string({
    maxLength: 316,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`,
  })
    .describe('Node label the requirement looks at, for example `node.kubernetes.io/instance-type`.')
    .rule(
      'self in ["karpenter.sh/capacity-type", "karpenter.sh/nodepool"] || !self.find("^([^/]+)").endsWith("karpenter.sh")',
      'label domain "karpenter.sh" is restricted',
    )
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

export const nodeClaimStartupTaint = object({
  key: string({
    minLength: 1,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`,
  }).describe('Key of the taint.'),
  effect: enumOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']).describe(
    'What happens to pods that do not tolerate it.',
  ),
  value: string({
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`,
  })
    .optional()
    .describe('Value of the taint.'),
  timeAdded: dateTime().optional().describe('When the taint was put on; filled in by the cluster.'),
});

export const nodeClaimSpec = object({
  nodeClassRef: nodeClaimNodeClassRef,
  requirements: list(nodeClaimRequirement, { type: 'atomic', maxItems: 100 })
    .describe('Label tests the node must pass, all of them; the instance type is chosen among those left.')
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
    .describe('Age at which the node is replaced, or `Never`.'),
  resources: object({
    requests: map(quantity()).optional().describe('Resources the pods of the node need in sum.'),
  })
    .optional()
    .describe('Size the node must at least have.'),
  startupTaints: list(nodeClaimStartupTaint, { type: 'atomic' })
    .optional()
    .describe(
      'Taints that something on the node removes once it is set up;',
      'pods need not tolerate them for the node to be made.',
    ),
  taints: list(nodeClaimStartupTaint, { type: 'atomic' })
    .optional()
    .describe('Taints the node keeps; it is made only for pods that tolerate them.'),
  terminationGracePeriod: string({ pattern: '^([0-9]+(s|m|h))+$' })
    .optional()
    .describe(
      'Longest time draining may take before the node goes regardless, disruption budgets included;',
      'absent waits for ever.',
    ),
})
  .describe('What the node should be like; cannot be changed.')
  .immutable('spec is immutable');

export const nodeClaimCondition = object({
  type: string({
    maxLength: 316,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
  }).describe('What the condition is about, such as `Launched`, `Registered` or `Ready`.'),
  lastTransitionTime: dateTime().describe('When `status` last flipped.'),
  status: enumOf(['True', 'False', 'Unknown']).describe(
    'Whether the statement holds; `Unknown` means that nobody could tell yet.',
  ),
  message: string({ maxLength: 32768 }).optional().describe('Explanation for people; do not parse it.'),
  observedGeneration: int64({ minimum: 0 })
    .optional()
    .describe('`metadata.generation` the condition was computed for.'),
  reason: string({ maxLength: 1024, pattern: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$' })
    .optional()
    .describe('One CamelCase word that says why the status is what it is.'),
});

export const nodeClaimStatus = object({
  allocatable: map(quantity()).optional().describe('Resources pods can use; estimated until the node has joined.'),
  capacity: map(quantity())
    .optional()
    .describe('Resources of the node as a whole; estimated until the node has joined.'),
  conditions: list(nodeClaimCondition, { type: 'map', keys: ['type'] })
    .optional()
    .describe('How far the node has come, and whether it should be replaced.'),
  imageID: string().optional().describe('Image the node booted.'),
  lastPodEventTime: dateTime()
    .optional()
    .describe('When a pod last came to or left the node; counts for consolidation.'),
  nodeName: string().optional().describe('Name of the node; absent until it has joined.'),
  providerID: string().optional().describe('Instance behind the node, as the cloud names it.'),
}).describe('What is known about the node.');

export const nodeClaim = defineKind({
  group: 'karpenter.sh',
  version: 'v1',
  kind: 'NodeClaim',
  plural: 'nodeclaims',
  categories: ['karpenter'],
  scope: 'Cluster',
  description: 'One node Karpenter asked the cloud for. Karpenter makes it; deleting it drains and removes the node.',
  columns: [
    { name: 'Type', type: 'string', jsonPath: raw`.metadata.labels.node\.kubernetes\.io/instance-type` },
    { name: 'Capacity', type: 'string', jsonPath: raw`.metadata.labels.karpenter\.sh/capacity-type` },
    { name: 'Zone', type: 'string', jsonPath: raw`.metadata.labels.topology\.kubernetes\.io/zone` },
    { name: 'Node', type: 'string', jsonPath: '.status.nodeName' },
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'ImageID', type: 'string', jsonPath: '.status.imageID', priority: 1 },
    { name: 'ID', type: 'string', jsonPath: '.status.providerID', priority: 1 },
    { name: 'NodePool', type: 'string', jsonPath: raw`.metadata.labels.karpenter\.sh/nodepool`, priority: 1 },
    { name: 'NodeClass', type: 'string', jsonPath: '.spec.nodeClassRef.name', priority: 1 },
    { name: 'Drifted', type: 'string', jsonPath: '.status.conditions[?(@.type=="Drifted")].status', priority: 1 },
  ],
  statusSubresource: true,
  fields: {
    spec: nodeClaimSpec,
    status: nodeClaimStatus.optional(),
  },
});

/** A NodeClaim as an API server hands it out: defaults are filled in. */
export type NodeClaim = ObjectOf<typeof nodeClaim>;

/** A NodeClaim as a client may send it. */
export type NodeClaimManifest = ManifestOf<typeof nodeClaim>;

export const nodeClaims = resourceOf(nodeClaim);
