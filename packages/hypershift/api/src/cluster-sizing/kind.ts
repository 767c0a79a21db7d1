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
  from: int32({ minimum: 0 }).describe('Fewest nodes of the class, inclusive.'),
  to: int32({ minimum: 0 })
    .optional()
    .describe('Most nodes of the class, inclusive; absent means no bound, as exactly one class must have.'),
})
  .describe('Number of nodes a hosted cluster of this size has; classes must neither overlap nor leave gaps.')
  .rule('!has(self.to) || self.from <= self.to', 'lower limit must be less than or equal to the upper limit');

export const sizingCapacity = object({
  cpu: quantity().optional().describe('CPU of a request-serving node of this size.'),
  memory: quantity().optional().describe('Memory of a request-serving node of this size.'),
}).describe('What nodes for this size offer; needed for sizing by resource usage.');

export const sizingResourceRequest = object({
  containerName: string().describe('Container to adapt.'),
  deploymentName: string().describe('Deployment the container is in.'),
  cpu: quantity().optional().describe('CPU to request; absent leaves it as it is.'),
  memory: quantity().optional().describe('Memory to request; absent leaves it as it is.'),
});

export const sizingEffects = object({
  APICriticalPriorityClassName: string()
    .optional()
    .describe('Priority class of components without which the API does not work.'),
  controlPlanePriorityClassName: string().optional().describe('Priority class of ordinary control plane components.'),
  etcdPriorityClassName: string().optional().describe('Priority class of etcd.'),
  kasGoMemLimit: string({ maxLength: 20, pattern: raw`^\d+(B|KiB|MiB|GiB|TiB)?$` })
    .optional()
    .describe("Soft memory limit of the API server's runtime (`GOMEMLIMIT`)."),
  machineHealthCheckTimeout: string().optional().describe('How long a node may be unhealthy before it is replaced.'),
  maximumMutatingRequestsInflight: integer().optional().describe('Writes the API server handles at the same time.'),
  maximumRequestsInflight: integer().optional().describe('Reads the API server handles at the same time.'),
  resourceRequests: list(sizingResourceRequest).optional().describe('Resource requests of single containers.'),
}).describe('What a control plane of this size gets.');

export const sizingManagement = object({
  nonRequestServingNodesPerZone: quantity()
    .optional()
    .describe(
      'Nodes per zone a control plane of this size needs for components that serve no requests;',
      'may be a fraction.',
    ),
  placeholders: integer({ minimum: 0 })
    .optional()
    .describe('Placeholder workloads that keep nodes ready for the next clusters of this size.'),
}).describe('What the management cluster keeps ready for this size.');

export const clusterSizingSize = object({
  name: string().describe('Name of the class, put on HostedClusters as a label.'),
  criteria: sizingCriteria,
  capacity: sizingCapacity.optional(),
  effects: sizingEffects.optional(),
  management: sizingManagement.optional(),
});

export const sizingConcurrency = object({
  limit: int32({ minimum: 1 }).default(5).describe('Clusters that may change size within the window.'),
  slidingWindow: string({ pattern: raw`^([0-9]+(\.[0-9]+)?(s|m|h))+$` })
    .default('10m')
    .describe('Time over which changes of size are counted.'),
}).describe('Bound on clusters changing size at the same time.');

export const sizingTransitionDelay = object({
  decrease: string({ pattern: raw`^([0-9]+(\.[0-9]+)?(s|m|h))+$` })
    .optional()
    .default('10m')
    .describe('How long a cluster must qualify for a smaller class before it moves.'),
  increase: string({ pattern: raw`^([0-9]+(\.[0-9]+)?(s|m|h))+$` })
    .optional()
    .default('30s')
    .describe('How long a cluster must qualify for a larger class before it moves.'),
}).describe('Wait before a change of size, so that short swings do nothing.');

export const clusterSizingSpec = object({
  sizes: list(clusterSizingSize, { type: 'map', keys: ['name'] })
    .describe('Size classes; together they must cover every number of nodes.')
    .rule('self.exists_one(i, i.criteria.from == 0)', 'exactly one size class must have a lower limit of zero')
    .rule('self.exists_one(i, !has(i.criteria.to))', 'exactly one size class must have no upper limit'),
  concurrency: sizingConcurrency.optional(),
  nonRequestServingNodesBufferPerZone: quantity()
    .optional()
    .describe('Further such nodes per zone kept in reserve for all clusters together.'),
  resourceBasedAutoscaling: object({
    kubeAPIServerMemoryFraction: quantity()
      .optional()
      .describe(
        "Part of a node's memory the API server may use before the next larger class is taken; absent means 0.65.",
      ),
  })
    .optional()
    .describe('Sizing by memory usage instead of node count, for clusters that ask for it.'),
  transitionDelay: sizingTransitionDelay.optional(),
}).describe('Size classes and how clusters move between them.');

export const clusterSizingConfiguration = defineKind({
  group: 'scheduling.hypershift.openshift.io',
  version: 'v1alpha1',
  kind: 'ClusterSizingConfiguration',
  plural: 'clustersizingconfigurations',
  shortNames: ['csc', 'cscs'],
  scope: 'Cluster',
  description: 'T-shirt sizes of hosted clusters on this management cluster; the one object is named `cluster`.',
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
