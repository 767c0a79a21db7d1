/** Kinds by which operators of a hosted cluster are configured; typed where we write them. */
import { type AnyNode, defineKind, enumOf, int32, list, object, string, stringMap } from '../schema/index.ts';
import { ingressEndpointPublishing } from '../hosted-cluster/ingress-publishing.ts';
import { labelSelector } from '../common/index.ts';
import { freeForm, operatorConditions, partly } from './free-form.ts';

function operator<const Kind extends string, const F extends { readonly [name: string]: AnyNode }>(
  kind: Kind,
  plural: string,
  description: string,
  fields: F,
) {
  return defineKind({
    group: 'operator.openshift.io',
    version: 'v1',
    kind,
    plural,
    scope: 'Cluster',
    description,
    statusSubresource: true,
    fields,
  });
}

const managed = {
  managementState: enumOf(['Managed', 'Unmanaged', 'Removed', 'Force']).optional(),
  logLevel: enumOf(['', 'Normal', 'Debug', 'Trace', 'TraceAll']).optional(),
  operatorLogLevel: enumOf(['', 'Normal', 'Debug', 'Trace', 'TraceAll']).optional(),
};

const operatorStatus = partly({
  conditions: operatorConditions.optional(),
  version: string().optional(),
  readyReplicas: int32().optional(),
}).optional();

export const ingressController = defineKind({
  group: 'operator.openshift.io',
  version: 'v1',
  kind: 'IngressController',
  plural: 'ingresscontrollers',
  scope: 'Namespaced',
  description: 'A set of routers and how it is published.',
  statusSubresource: true,
  scale: {
    specReplicasPath: '.spec.replicas',
    statusReplicasPath: '.status.availableReplicas',
    labelSelectorPath: '.status.selector',
  },
  fields: {
    spec: partly({
      domain: string().optional(),
      replicas: int32().optional(),
      endpointPublishingStrategy: ingressEndpointPublishing.optional(),
      defaultCertificate: object({ name: string().optional() }).optional(),
      namespaceSelector: labelSelector.optional(),
      routeSelector: labelSelector.optional(),
      nodePlacement: freeForm().optional(),
    }).unenforced(),
    status: partly({
      availableReplicas: int32().optional(),
      selector: string().optional(),
      domain: string().optional(),
      conditions: operatorConditions.optional(),
    }).optional(),
  },
});

export const operatorNetwork = operator(
  'Network',
  'networks',
  'How the cluster network operator sets up the network.',
  {
    spec: partly({
      ...managed,
      clusterNetwork: list(object({ cidr: string().optional(), hostPrefix: int32().optional() })).optional(),
      serviceNetwork: list(string()).optional(),
      defaultNetwork: partly({ type: string().optional() }).optional(),
    }).unenforced(),
    status: operatorStatus,
  },
);

const plain = { spec: partly(managed).unenforced(), status: operatorStatus };

export const storageOperator = operator('Storage', 'storages', 'Drivers for volumes of the platform.', plain);
export const snapshotController = operator(
  'CSISnapshotController',
  'csisnapshotcontrollers',
  'Snapshots of volumes.',
  plain,
);
export const cloudCredential = operator(
  'CloudCredential',
  'cloudcredentials',
  'How operators get access to the cloud.',
  {
    spec: partly({
      ...managed,
      credentialsMode: enumOf(['', 'Manual', 'Mint', 'Passthrough']).optional(),
    }).unenforced(),
    status: operatorStatus,
  },
);
export const clusterCSIDriver = operator('ClusterCSIDriver', 'clustercsidrivers', 'One driver for volumes.', plain);
export const consoleOperator = operator('Console', 'consoles', 'The web console.', plain);
export const dnsOperator = operator('DNS', 'dnses', 'Name service inside the cluster.', plain);
export const kubeAPIServerOperator = operator(
  'KubeAPIServer',
  'kubeapiservers',
  'Exists in a hosted cluster so that tools find it; the control plane runs elsewhere.',
  plain,
);

export const imageRegistry = defineKind({
  group: 'imageregistry.operator.openshift.io',
  version: 'v1',
  kind: 'Config',
  plural: 'configs',
  scope: 'Cluster',
  description: 'The internal image registry and where it keeps images.',
  statusSubresource: true,
  fields: {
    spec: partly({
      ...managed,
      replicas: int32().optional(),
      httpSecret: string().optional(),
      rolloutStrategy: string().optional(),
      storage: freeForm().optional(),
      nodeSelector: stringMap().optional(),
    }).unenforced(),
    status: partly({ conditions: operatorConditions.optional(), storage: freeForm().optional() }).optional(),
  },
});

export const imageContentSourcePolicy = defineKind({
  group: 'operator.openshift.io',
  version: 'v1alpha1',
  kind: 'ImageContentSourcePolicy',
  plural: 'imagecontentsourcepolicies',
  scope: 'Cluster',
  description: 'Mirrors of images pulled by digest, in the old way.',
  statusSubresource: true,
  fields: {
    spec: object({
      repositoryDigestMirrors: list(object({ source: string(), mirrors: list(string()).optional() })).optional(),
    }).unenforced(),
  },
});
