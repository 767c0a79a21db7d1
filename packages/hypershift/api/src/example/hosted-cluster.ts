import type { HostedClusterManifest, NodePoolManifest } from '../index.ts';

/** A small hosted cluster on KubeVirt; the API server fills in everything that is not said. */
export const cluster = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'HostedCluster',
  metadata: { name: 'demo', namespace: 'clusters' },
  spec: {
    release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-multi' },
    pullSecret: { name: 'pull-secret' },
    dns: { baseDomain: 'example.com' },
    platform: { type: 'KubeVirt' },
    services: [
      { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
      { service: 'OAuthServer', servicePublishingStrategy: { type: 'Route' } },
      { service: 'Konnectivity', servicePublishingStrategy: { type: 'Route' } },
      { service: 'Ignition', servicePublishingStrategy: { type: 'Route' } },
    ],
  },
} satisfies HostedClusterManifest;

/** Three machines for it, replaced one by one when the release changes. */
export const workers = {
  apiVersion: 'hypershift.openshift.io/v1beta1',
  kind: 'NodePool',
  metadata: { name: 'demo-workers', namespace: 'clusters' },
  spec: {
    clusterName: 'demo',
    release: cluster.spec.release,
    replicas: 3,
    management: { upgradeType: 'Replace', autoRepair: true },
    platform: { type: 'KubeVirt', kubevirt: { compute: { memory: '16Gi', cores: 4 } } },
  },
} satisfies NodePoolManifest;
