/** T-shirt sizes of hosted clusters on a management cluster. */
import { nodeOverlayStatus } from '../karpenter/node-overlay.ts';
import {
  defineKind,
  int32,
  integer,
  list,
  object,
  quantity,
  raw,
  resourceOf,
  string,
  type ManifestOf,
  type ObjectOf,
} from '../schema/index.ts';

export const sizingCriteria = object({
  from: int32({ minimum: 0 }),
  to: int32({ minimum: 0 }).optional(),
}).rule('!has(self.to) || self.from <= self.to', 'lower limit must be less than or equal to the upper limit');

export const sizingCapacity = object({
  cpu: quantity().optional(),
  memory: quantity().optional(),
});

export const sizingResourceRequest = object({
  containerName: string(),
  deploymentName: string(),
  cpu: quantity().optional(),
  memory: quantity().optional(),
});

export const sizingEffects = object({
  APICriticalPriorityClassName: string().optional(),
  controlPlanePriorityClassName: string().optional(),
  etcdPriorityClassName: string().optional(),
  kasGoMemLimit: string({ maxLength: 20, pattern: raw`^\d+(B|KiB|MiB|GiB|TiB)?$` }).optional(),
  machineHealthCheckTimeout: string().optional(),
  maximumMutatingRequestsInflight: integer().optional(),
  maximumRequestsInflight: integer().optional(),
  resourceRequests: list(sizingResourceRequest).optional(),
});

export const sizingManagement = object({
  nonRequestServingNodesPerZone: quantity().optional(),
  placeholders: integer({ minimum: 0 }).optional(),
});

export const clusterSizingSize = object({
  name: string(),
  criteria: sizingCriteria,
  capacity: sizingCapacity.optional(),
  effects: sizingEffects.optional(),
  management: sizingManagement.optional(),
});

export const sizingConcurrency = object({
  limit: int32({ minimum: 1 }).default(5),
  slidingWindow: string({ pattern: raw`^([0-9]+(\.[0-9]+)?(s|m|h))+$` }).default('10m'),
});

export const sizingTransitionDelay = object({
  decrease: string({ pattern: raw`^([0-9]+(\.[0-9]+)?(s|m|h))+$` }).optional().default('10m'),
  increase: string({ pattern: raw`^([0-9]+(\.[0-9]+)?(s|m|h))+$` }).optional().default('30s'),
});

export const clusterSizingSpec = object({
  sizes: list(clusterSizingSize, { type: 'map', keys: ['name'] })
    .rule('self.exists_one(i, i.criteria.from == 0)', 'exactly one size class must have a lower limit of zero')
    .rule('self.exists_one(i, !has(i.criteria.to))', 'exactly one size class must have no upper limit'),
  concurrency: sizingConcurrency.optional(),
  nonRequestServingNodesBufferPerZone: quantity().optional(),
  resourceBasedAutoscaling: object({
    kubeAPIServerMemoryFraction: quantity().optional(),
  }).optional(),
  transitionDelay: sizingTransitionDelay.optional(),
});

export const clusterSizingConfiguration = defineKind({
  group: 'scheduling.hypershift.openshift.io',
  version: 'v1alpha1',
  kind: 'ClusterSizingConfiguration',
  plural: 'clustersizingconfigurations',
  shortNames: ['csc', 'cscs'],
  scope: 'Cluster',
  description: '',
  statusSubresource: true,
  fields: {
    spec: clusterSizingSpec.unenforced(),
    status: nodeOverlayStatus.optional(),
  },
  rules: [
    {
      rule: "self.metadata.name == 'cluster'",
      message: "exactly one configuration may exist and must be named 'cluster'",
    },
  ],
});

/** A ClusterSizingConfiguration as an API server hands it out: defaults are filled in. */
export type ClusterSizingConfiguration = ObjectOf<typeof clusterSizingConfiguration>;

/** A ClusterSizingConfiguration as a client may send it. */
export type ClusterSizingConfigurationManifest = ManifestOf<typeof clusterSizingConfiguration>;

export const clusterSizingConfigurations = resourceOf(clusterSizingConfiguration);
