/** Pools and machines as an API server hands them out, for tests. */
import type { HostedCluster, NodePool } from '@hypershift-ts/hypershift-api';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';

const replace = { strategy: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } };

export function aPool(spec: object = {}, metadata: object = {}, status?: object): NodePool {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { name: 'workers', namespace: 'clusters', uid: 'uid-2', generation: 4, ...metadata },
    spec: {
      clusterName: 'demo',
      replicas: 3,
      arch: 'amd64',
      release: { image: 'registry.hypershift-ts.io/release:4.20.3' },
      management: { upgradeType: 'Replace', autoRepair: true, replace },
      platform: { type: 'AWS', aws: { instanceType: 'm5.large', subnet: { id: 'subnet-1' } } },
      ...spec,
    },
    ...(status ? { status } : {}),
  } as unknown as NodePool; // Tests state what matters to them only.
}

export const inPlace = (own: object = {}) => ({ management: { upgradeType: 'InPlace', replace, ...own } });

export function aHostedCluster(spec: object = {}, status: object = {}, metadata: object = {}): HostedCluster {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name: 'demo', namespace: 'clusters', uid: 'uid-1', ...metadata },
    spec: {
      release: { image: 'registry.hypershift-ts.io/release:4.20.3' },
      pullSecret: { name: 'pull-secret' },
      infraID: 'demo-abcde',
      platform: { type: 'AWS', aws: { region: 'us-east-1' } },
      networking: { clusterNetwork: [{ cidr: '10.132.0.0/14' }], serviceNetwork: [{ cidr: '172.31.0.0/16' }] },
      services: [],
      ...spec,
    },
    status: { payloadArch: 'Multi', ...status },
  } as unknown as HostedCluster;
}

/** A machine with conditions given as type to [status, reason, message]. */
export function aMachine(
  name: string,
  conditions: { readonly [type: string]: readonly [status: string, reason?: string, message?: string] } = {},
  { metadata = {}, status = {} }: { readonly metadata?: object; readonly status?: object } = {},
): capiv1beta1.Machine {
  return {
    apiVersion: 'cluster.x-k8s.io/v1beta1',
    kind: 'Machine',
    metadata: {
      name,
      namespace: 'clusters-demo',
      annotations: { 'hypershift.openshift.io/nodePool': 'clusters/workers' },
      ...metadata,
    },
    spec: {
      clusterName: 'demo-abcde',
      bootstrap: { dataSecretName: 'user-data-workers-1' },
      infrastructureRef: { kind: 'AWSMachine', name },
      version: '4.20.3',
    },
    status: {
      conditions: Object.entries(conditions).map(([type, [value, reason, message]]) => ({
        type,
        status: value,
        reason,
        message,
        lastTransitionTime: '2026-01-01T00:00:00Z',
      })),
      ...status,
    },
  } as unknown as capiv1beta1.Machine;
}
