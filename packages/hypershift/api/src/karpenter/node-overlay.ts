/** Corrections of prices and capacity that Karpenter calculates with. */
import { condition } from '../common/conditions.ts';
import {
  defineKind,
  enumOf,
  int32,
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

export const nodeOverlayRequirement = object({
  key: string({
    maxLength: 316,
    pattern: raw`^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*(\/))?([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]$`,
  })
    .describe('Instance label the requirement looks at.')
    .rule(
      'self in ["karpenter.sh/capacity-type", "karpenter.sh/nodepool"] || !self.find("^([^/]+)").endsWith("karpenter.sh")',
      'label domain "karpenter.sh" is restricted',
    )
    .rule('self != "kubernetes.io/hostname"', 'label "kubernetes.io/hostname" is restricted')
    .rule(
      'self in ["karpenter.k8s.aws/ec2nodeclass", "karpenter.k8s.aws/instance-encryption-in-transit-supported", "karpenter.k8s.aws/instance-category", "karpenter.k8s.aws/instance-hypervisor", "karpenter.k8s.aws/instance-family", "karpenter.k8s.aws/instance-generation", "karpenter.k8s.aws/instance-local-nvme", "karpenter.k8s.aws/instance-size", "karpenter.k8s.aws/instance-cpu", "karpenter.k8s.aws/instance-cpu-manufacturer", "karpenter.k8s.aws/instance-cpu-sustained-clock-speed-mhz", "karpenter.k8s.aws/instance-memory", "karpenter.k8s.aws/instance-ebs-bandwidth", "karpenter.k8s.aws/instance-network-bandwidth", "karpenter.k8s.aws/instance-gpu-name", "karpenter.k8s.aws/instance-gpu-manufacturer", "karpenter.k8s.aws/instance-gpu-count", "karpenter.k8s.aws/instance-gpu-memory", "karpenter.k8s.aws/instance-accelerator-name", "karpenter.k8s.aws/instance-accelerator-manufacturer", "karpenter.k8s.aws/instance-accelerator-count", "karpenter.k8s.aws/instance-capability-flex"] || !self.find("^([^/]+)").endsWith("karpenter.k8s.aws")',
      'label domain "karpenter.k8s.aws" is restricted',
    ),
  operator: enumOf(['Gte', 'Lte', 'In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt']).describe(
    'Test to apply to the label; the comparing ones take a single whole number.',
  ),
  values: list(string(), { type: 'atomic' })
    .optional()
    .describe('Values for the test; empty for the two existence tests.'),
});

export const nodeOverlaySpec = object({
  requirements: list(nodeOverlayRequirement, { type: 'atomic', maxItems: 100 })
    .describe('Label tests that decide which instance types are corrected, all must pass.')
    .rule(
      "self.all(x, x.operator == 'NotIn' ? x.values.size() != 0 : true)",
      "requirements with operator 'NotIn' must have a value defined",
    )
    .rule(
      "self.all(x, x.operator == 'In' ? x.values.size() != 0 : true)",
      "requirements with operator 'In' must have a value defined",
    )
    .rule(
      "self.all(x, (x.operator == 'Gt' || x.operator == 'Lt' || x.operator == 'Gte' || x.operator == 'Lte') ? (x.values.size() == 1 && int(x.values[0]) >= 0) : true)",
      "requirements operator 'Gt', 'Lt', 'Gte' or 'Lte' must have a single positive integer value",
    ),
  capacity: map(quantity())
    .optional()
    .describe(
      'Resources to add that the cloud does not report, for example extended ones; CPU, memory,',
      'storage and pods cannot be changed.',
    )
    .rule("self.all(x, !(x in ['cpu', 'memory', 'ephemeral-storage', 'pods']))", 'invalid resource restricted'),
  price: string({ pattern: raw`^\d+(\.\d+)?$` }).optional().describe('Price to reckon with instead of the listed one.'),
  priceAdjustment: string({ pattern: raw`^(([+-]{1}(\d*\.?\d+))|(\+{1}\d*\.?\d+%)|(^(-\d{1,2}(\.\d+)?%)$)|(-100%))$` })
    .optional()
    .describe('Change of the listed price, by an amount such as `-0.5` or a percentage such as `+10%`.'),
  weight: int32({ minimum: 1, maximum: 10000 })
    .optional()
    .describe('Overlay that wins when several match: the one with the highest weight; absent counts as zero.'),
})
  .describe('Instance types to correct, and how.')
  .rule('!has(self.price) || !has(self.priceAdjustment)', "cannot set both 'price' and 'priceAdjustment'");

export const nodeOverlayStatus = object({
  conditions: list(condition, { type: 'map', keys: ['type'] })
    .optional()
    .describe('Whether the overlay is valid and in use.'),
}).describe('What is known about the overlay.');

export const nodeOverlay = defineKind({
  group: 'karpenter.sh',
  version: 'v1alpha1',
  kind: 'NodeOverlay',
  plural: 'nodeoverlays',
  shortNames: ['overlays'],
  categories: ['karpenter'],
  scope: 'Cluster',
  description: "Corrects price and resources of instance types in Karpenter's reckoning, for example for discounts.",
  columns: [
    { name: 'Ready', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
    { name: 'Weight', type: 'integer', jsonPath: '.spec.weight', priority: 1 },
  ],
  statusSubresource: true,
  fields: {
    spec: nodeOverlaySpec,
    status: nodeOverlayStatus.optional(),
  },
});

/** A NodeOverlay as an API server hands it out: defaults are filled in. */
export type NodeOverlay = ObjectOf<typeof nodeOverlay>;

/** A NodeOverlay as a client may send it. */
export type NodeOverlayManifest = ManifestOf<typeof nodeOverlay>;

export const nodeOverlays = resourceOf(nodeOverlay);
