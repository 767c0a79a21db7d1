import { defineKind, resourceOf, type ManifestOf, type ObjectOf } from '../schema/index.ts';
import { hostedClusterSpec } from './spec.ts';
import { hostedClusterStatus } from './status.ts';

export const hostedCluster = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'HostedCluster',
  plural: 'hostedclusters',
  shortNames: ['hc', 'hcs'],
  scope: 'Namespaced',
  description:
    'An OpenShift cluster whose control plane runs as pods on the management cluster. Create it and NodePools in the same namespace; deleting it deletes the cluster.',
  columns: [
    { name: 'Version', type: 'string', jsonPath: '.status.version.history[?(@.state=="Completed")].version' },
    {
      name: 'CP Version',
      type: 'string',
      jsonPath: '.status.controlPlaneVersion.history[?(@.state=="Completed")].version',
    },
    { name: 'KubeConfig', type: 'string', jsonPath: '.status.kubeconfig.name' },
    { name: 'Progress', type: 'string', jsonPath: '.status.version.history[?(@.state!="")].state' },
    { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].status' },
    { name: 'Progressing', type: 'string', jsonPath: '.status.conditions[?(@.type=="Progressing")].status' },
    { name: 'Message', type: 'string', jsonPath: '.status.conditions[?(@.type=="Available")].message' },
    { name: 'CP Progress', type: 'string', jsonPath: '.status.controlPlaneVersion.history[0].state', priority: 1 },
    { name: 'DP Progress', type: 'string', jsonPath: '.status.version.history[0].state', priority: 1 },
  ],
  statusSubresource: true,
  fields: {
    spec: hostedClusterSpec.unenforced(),
    status: hostedClusterStatus.optional(),
  },
  rules: [
    {
      rule: '!has(oldSelf.spec) || !has(oldSelf.spec.infraID) || (has(self.spec) && has(self.spec.infraID))',
      message: 'infraID cannot be removed once set',
    },
    {
      rule: '!has(oldSelf.spec) || !has(oldSelf.spec.clusterID) || (has(self.spec) && has(self.spec.clusterID))',
      message: 'clusterID cannot be removed once set',
    },
  ],
});

/** A HostedCluster as an API server hands it out: defaults are filled in. */
export type HostedCluster = ObjectOf<typeof hostedCluster>;

/** A HostedCluster as a client may send it. */
export type HostedClusterManifest = ManifestOf<typeof hostedCluster>;

export const hostedClusters = resourceOf(hostedCluster);
