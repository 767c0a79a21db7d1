import type {
  HostedClusterManifest,
  HostedControlPlaneManifest,
  NodePoolManifest,
} from '@hypershift-ts/hypershift-api';

const metadata = { name: 'demo', namespace: 'clusters' };
const routed = { type: 'Route' } as const;
const services: HostedClusterManifest['spec']['services'] = [
  { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
  { service: 'OAuthServer', servicePublishingStrategy: routed },
  { service: 'Konnectivity', servicePublishingStrategy: routed },
  { service: 'Ignition', servicePublishingStrategy: routed },
];
const image = 'quay.io/openshift-release-dev/ocp-release:4.20.1-multi';

export const aCluster: HostedClusterManifest = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'HostedCluster',
  metadata,
  spec: { release: { image }, pullSecret: { name: 'pull-secret' }, platform: { type: 'None' }, services },
};

export const aPool: NodePoolManifest = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'NodePool',
  metadata,
  spec: {
    clusterName: 'demo',
    release: { image },
    replicas: 2,
    management: { upgradeType: 'Replace' },
    platform: { type: 'None' },
  },
};

export const aControlPlane: HostedControlPlaneManifest = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'HostedControlPlane',
  metadata,
  spec: {
    releaseImage: image,
    pullSecret: { name: 'pull-secret' },
    sshKey: {},
    dns: { baseDomain: 'example.com' },
    infraID: 'demo-x7x2k',
    issuerURL: 'https://kubernetes.default.svc',
    platform: { type: 'None' },
    services,
    etcd: { managementType: 'Managed', managed: { storage: { type: 'PersistentVolume' } } },
  },
};

export const aComponent = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'ControlPlaneComponent',
  metadata,
  spec: {},
};

export function conditions(...types: readonly string[]) {
  return types.map((type) => ({
    type,
    status: 'True' as const,
    reason: 'AsExpected',
    message: `${type} is True`,
    lastTransitionTime: '2026-01-02T03:04:05Z',
  }));
}
