/** Objects as an API server would hand them out, for tests. */
import type { HostedCluster } from '../hosted-cluster/index.ts';
import type { NodePool } from '../node-pool/index.ts';

type Overrides<Kind extends { spec: object }> = { readonly [Field in keyof Kind['spec']]?: unknown };

const routed = { type: 'Route' } as const;

/** A valid HostedCluster on platform None; spec fields are replaced by the given ones, without a type check. */
export function aHostedCluster(spec: Overrides<HostedCluster> = {}, metadata: object = {}): HostedCluster {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name: 'demo', namespace: 'clusters', ...metadata },
    spec: {
      release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-multi' },
      pullSecret: { name: 'pull-secret' },
      platform: { type: 'None' },
      services: [
        { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
        { service: 'OAuthServer', servicePublishingStrategy: routed },
        { service: 'Konnectivity', servicePublishingStrategy: routed },
        { service: 'Ignition', servicePublishingStrategy: routed },
      ],
      networking: {
        networkType: 'OVNKubernetes',
        clusterNetwork: [{ cidr: '10.132.0.0/14' }],
        serviceNetwork: [{ cidr: '172.31.0.0/16' }],
      },
      etcd: {
        managementType: 'Managed',
        managed: { storage: { type: 'PersistentVolume', persistentVolume: { size: '8Gi' } } },
      },
      capabilities: {},
      controllerAvailabilityPolicy: 'HighlyAvailable',
      infrastructureAvailabilityPolicy: 'SingleReplica',
      issuerURL: 'https://kubernetes.default.svc',
      olmCatalogPlacement: 'management',
      ...(spec as object),
    },
  };
}

/** A valid NodePool on platform None. */
export function aNodePool(spec: Overrides<NodePool> = {}, metadata: object = {}): NodePool {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { name: 'demo-workers', namespace: 'clusters', ...metadata },
    spec: {
      clusterName: 'demo',
      release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-multi' },
      platform: { type: 'None' },
      arch: 'amd64',
      replicas: 2,
      management: {
        upgradeType: 'Replace',
        autoRepair: false,
        replace: { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } },
      },
      ...(spec as object),
    },
  };
}
