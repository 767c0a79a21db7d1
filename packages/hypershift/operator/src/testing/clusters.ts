/** Clusters and control planes as an API server hands them out, for tests. */
import type { HostedCluster, HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { Condition } from '@hypershift-ts/kube-apimachinery';

export function aCluster(spec: object = {}, metadata: object = {}, status?: object): HostedCluster {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name: 'demo', namespace: 'clusters', uid: 'uid-1', generation: 3, ...metadata },
    spec: {
      release: { image: 'quay.io/openshift-release-dev/ocp-release:4.20.1-multi' },
      pullSecret: { name: 'my-pull-secret' },
      infraID: 'demo-abcde',
      clusterID: '00000000-0000-4000-8000-000000000001',
      platform: { type: 'None' },
      services: [
        { service: 'APIServer', servicePublishingStrategy: { type: 'LoadBalancer' } },
        { service: 'OAuthServer', servicePublishingStrategy: { type: 'Route' } },
        { service: 'Konnectivity', servicePublishingStrategy: { type: 'Route' } },
        { service: 'Ignition', servicePublishingStrategy: { type: 'Route' } },
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
      controllerAvailabilityPolicy: 'SingleReplica',
      infrastructureAvailabilityPolicy: 'SingleReplica',
      issuerURL: 'https://kubernetes.default.svc',
      olmCatalogPlacement: 'management',
      ...spec,
    },
    ...(status ? { status } : {}),
  } as unknown as HostedCluster; // Tests state what matters to them only.
}

export function aControlPlane(status: object = {}, metadata: object = {}): HostedControlPlane {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedControlPlane',
    metadata: { name: 'demo', namespace: 'clusters-demo', generation: 1, ...metadata },
    spec: { infraID: 'demo-abcde' },
    status,
  } as unknown as HostedControlPlane;
}

export function aCondition(type: string, status: Condition['status'], reason = 'AsExpected', message = ''): Condition {
  return { type, status, reason, message, lastTransitionTime: '2026-01-01T00:00:00Z' };
}
