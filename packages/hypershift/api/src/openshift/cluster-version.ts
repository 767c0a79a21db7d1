/** The version a hosted cluster runs and the operators that make it so. */
import { clusterVersionStatus } from '../hosted-cluster/version-status.ts';
import { boolean, defineKind, enumOf, list, object, string } from '../schema/index.ts';
import { operatorConditions, partly } from './free-form.ts';

const conditionOf = (type: string): string => `.status.conditions[?(@.type=="${type}")]`;

const componentOverride = object({
  kind: string(),
  group: string(),
  namespace: string(),
  name: string(),
  unmanaged: boolean(),
});

export const clusterVersion = defineKind({
  group: 'config.openshift.io',
  version: 'v1',
  kind: 'ClusterVersion',
  plural: 'clusterversions',
  scope: 'Cluster',
  description: 'The version of the cluster: what is wanted, what runs, what ran.',
  statusSubresource: true,
  columns: [
    { name: 'Version', type: 'string', jsonPath: '.status.history[?(@.state=="Completed")].version' },
    { name: 'Available', type: 'string', jsonPath: `${conditionOf('Available')}.status` },
    { name: 'Progressing', type: 'string', jsonPath: `${conditionOf('Progressing')}.status` },
    { name: 'Since', type: 'date', jsonPath: `${conditionOf('Progressing')}.lastTransitionTime` },
    { name: 'Status', type: 'string', jsonPath: `${conditionOf('Progressing')}.message` },
  ],
  fields: {
    spec: partly({
      clusterID: string(),
      channel: string().optional(),
      upstream: string().optional(),
      desiredUpdate: partly({
        architecture: enumOf(['Multi', '']).optional(),
        version: string().optional(),
        image: string().optional(),
        force: boolean().optional(),
      }).optional(),
      overrides: list(componentOverride, { type: 'map', keys: ['kind', 'group', 'namespace', 'name'] }).optional(),
    }).unenforced(),
    status: partly({
      ...clusterVersionStatus.fields,
      conditions: operatorConditions.optional(),
      versionHash: string().optional(),
    }).optional(),
  },
});

const relatedObject = object({
  group: string(),
  resource: string(),
  name: string(),
  namespace: string().optional(),
});

export const clusterOperator = defineKind({
  group: 'config.openshift.io',
  version: 'v1',
  kind: 'ClusterOperator',
  plural: 'clusteroperators',
  shortNames: ['co'],
  scope: 'Cluster',
  description: 'How an operator of the cluster is doing.',
  statusSubresource: true,
  columns: [
    { name: 'Version', type: 'string', jsonPath: '.status.versions[?(@.name=="operator")].version' },
    { name: 'Available', type: 'string', jsonPath: `${conditionOf('Available')}.status` },
    { name: 'Progressing', type: 'string', jsonPath: `${conditionOf('Progressing')}.status` },
    { name: 'Degraded', type: 'string', jsonPath: `${conditionOf('Degraded')}.status` },
    { name: 'Since', type: 'date', jsonPath: `${conditionOf('Available')}.lastTransitionTime` },
  ],
  fields: {
    spec: partly({}).unenforced(),
    status: partly({
      conditions: operatorConditions.optional(),
      versions: list(object({ name: string(), version: string() })).optional(),
      relatedObjects: list(relatedObject).optional(),
    }).optional(),
  },
});
