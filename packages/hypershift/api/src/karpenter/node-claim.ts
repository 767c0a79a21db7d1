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
  kind: string().rule("self != ''", 'kind may not be empty'),
  name: string().rule("self != ''", 'name may not be empty'),
  group: string({ pattern: '^[^/]*$' }).rule("self != ''", 'group may not be empty'),
});

export const nodeClaimRequirement = object({
  key: string({
    maxLength: 316,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`,
  })
    .rule(
      'self in ["karpenter.sh/capacity-type", "karpenter.sh/nodepool"] || !self.find("^([^/]+)").endsWith("karpenter.sh")',
      'label domain "karpenter.sh" is restricted',
    )
    .rule('self != "kubernetes.io/hostname"', 'label "kubernetes.io/hostname" is restricted')
    .rule(
      'self in ["karpenter.k8s.aws/instance-tenancy", "karpenter.k8s.aws/capacity-reservation-type", "karpenter.k8s.aws/capacity-reservation-id", "karpenter.k8s.aws/capacity-reservation-interruptible", "karpenter.k8s.aws/ec2nodeclass", "karpenter.k8s.aws/instance-encryption-in-transit-supported", "karpenter.k8s.aws/instance-category", "karpenter.k8s.aws/instance-hypervisor", "karpenter.k8s.aws/instance-family", "karpenter.k8s.aws/instance-generation", "karpenter.k8s.aws/instance-local-nvme", "karpenter.k8s.aws/instance-size", "karpenter.k8s.aws/instance-cpu", "karpenter.k8s.aws/instance-cpu-manufacturer", "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz", "karpenter.k8s.aws/instance-memory", "karpenter.k8s.aws/instance-ebs-bandwidth", "karpenter.k8s.aws/instance-network-bandwidth", "karpenter.k8s.aws/instance-gpu-name", "karpenter.k8s.aws/instance-gpu-manufacturer", "karpenter.k8s.aws/instance-gpu-count", "karpenter.k8s.aws/instance-gpu-memory", "karpenter.k8s.aws/instance-accelerator-name", "karpenter.k8s.aws/instance-accelerator-manufacturer", "karpenter.k8s.aws/instance-accelerator-count", "karpenter.k8s.aws/instance-capability-flex", "karpenter.k8s.aws/placement-group-id", "karpenter.k8s.aws/placement-group-partition"] || !self.find("^([^/]+)").endsWith("karpenter.k8s.aws")',
      'label domain "karpenter.k8s.aws" is restricted',
    ),
  operator: enumOf(['Gte', 'Lte', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']),
  minValues: integer({ minimum: 1, maximum: 50 }).optional(),
  values: list(string(), { type: 'atomic' }).optional(),
});

export const nodeClaimStartupTaint = object({
  key: string({
    minLength: 1,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`,
  }),
  effect: enumOf(['NoSchedule', 'PreferNoSchedule', 'NoExecute']),
  value: string({
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`,
  }).optional(),
  timeAdded: dateTime().optional(),
});

export const nodeClaimSpec = object({
  nodeClassRef: nodeClaimNodeClassRef,
  requirements: list(nodeClaimRequirement, { type: 'atomic', maxItems: 100 })
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
  resources: object({
    requests: map(quantity()).optional(),
  }).optional(),
  startupTaints: list(nodeClaimStartupTaint, { type: 'atomic' }).optional(),
  taints: list(nodeClaimStartupTaint, { type: 'atomic' }).optional(),
  terminationGracePeriod: string({ pattern: '^([0-9]+(s|m|h))+$' }).optional(),
}).immutable('spec is immutable');

export const nodeClaimCondition = object({
  type: string({
    maxLength: 316,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])$`,
  }),
  lastTransitionTime: dateTime(),
  status: enumOf(['True', 'False', 'Unknown']),
  message: string({ maxLength: 32768 }).optional(),
  observedGeneration: int64({ minimum: 0 }).optional(),
  reason: string({ maxLength: 1024, pattern: '^([A-Za-z]([A-Za-z0-9_,:]*[A-Za-z0-9_])?|)$' }).optional(),
});

export const nodeClaimStatus = object({
  allocatable: map(quantity()).optional(),
  capacity: map(quantity()).optional(),
  conditions: list(nodeClaimCondition, { type: 'map', keys: ['type'] }).optional(),
  imageID: string().optional(),
  lastPodEventTime: dateTime().optional(),
  nodeName: string().optional(),
  providerID: string().optional(),
});

export const nodeClaim = defineKind({
  group: 'karpenter.sh',
  version: 'v1',
  kind: 'NodeClaim',
  plural: 'nodeclaims',
  categories: ['karpenter'],
  scope: 'Cluster',
  description: '',
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
