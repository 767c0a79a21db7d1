import { defineKind, resourceOf, type ManifestOf, type ObjectOf } from '../schema/index.ts';
import { nodePoolSpec } from './spec.ts';
import { nodePoolStatus } from './status.ts';

export const nodePool = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'NodePool',
  plural: 'nodepools',
  shortNames: ['np', 'nps'],
  scope: 'Namespaced',
  description: 'A group of alike nodes of one hosted cluster, made, updated, repaired and scaled together.',
  columns: [
    { name: 'Cluster', type: 'string', jsonPath: '.spec.clusterName' },
    { name: 'Desired Nodes', type: 'integer', jsonPath: '.spec.replicas' },
    { name: 'Current Nodes', type: 'integer', jsonPath: '.status.replicas' },
    { name: 'Autoscaling', type: 'string', jsonPath: '.status.conditions[?(@.type=="AutoscalingEnabled")].status' },
    { name: 'Autorepair', type: 'string', jsonPath: '.status.conditions[?(@.type=="AutorepairEnabled")].status' },
    { name: 'Version', type: 'string', jsonPath: '.status.version' },
    { name: 'UpdatingVersion', type: 'string', jsonPath: '.status.conditions[?(@.type=="UpdatingVersion")].status' },
    { name: 'UpdatingConfig', type: 'string', jsonPath: '.status.conditions[?(@.type=="UpdatingConfig")].status' },
    { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Ready")].message' },
  ],
  statusSubresource: true,
  scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
  fields: {
    spec: nodePoolSpec.unenforced(),
    status: nodePoolStatus.optional(),
  },
});

/** A NodePool as an API server hands it out: defaults are filled in. */
export type NodePool = ObjectOf<typeof nodePool>;

/** A NodePool as a client may send it. */
export type NodePoolManifest = ManifestOf<typeof nodePool>;

export const nodePools = resourceOf(nodePool);
