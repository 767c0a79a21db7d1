import type { ControlPlaneComponent, HostedCluster, NodePool } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { ClusterFacts } from '../describe/facts.ts';

/** Objects as an operator leaves them, for tests of what is said about them. */

interface Told {
  readonly type: string;
  readonly status: 'True' | 'False' | 'Unknown';
  readonly reason?: string;
  readonly message?: string;
}

const condition = ({ reason = 'AsExpected', message = '', ...rest }: Told) => ({
  ...rest,
  reason,
  message,
  lastTransitionTime: '2026-01-01T00:00:00Z',
});

export const yes = (type: string): Told => ({ type, status: 'True' });
export const no = (type: string, reason: string, message: string): Told => ({ type, status: 'False', reason, message });

export function aCluster(conditions: readonly Told[] = [], metadata: object = {}): HostedCluster {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'HostedCluster',
    metadata: { name: 'demo', namespace: 'clusters', creationTimestamp: '2026-01-01T00:00:00Z', ...metadata },
    spec: {
      release: { image: 'registry.example.com/release:4.20.1' },
      platform: { type: 'None' },
      services: [],
      etcd: { managementType: 'Managed' },
      infraID: 'demo-abcde',
    },
    status: { conditions: conditions.map(condition) },
  } as unknown as HostedCluster;
}

export function aPool(
  replicas: number,
  have: number,
  conditions: readonly Told[] = [],
  metadata: object = {},
): NodePool {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'NodePool',
    metadata: { name: 'demo', namespace: 'clusters', ...metadata },
    spec: {
      clusterName: 'demo',
      replicas,
      arch: 'amd64',
      release: { image: 'registry.example.com/release:4.20.1' },
      management: { upgradeType: 'Replace', autoRepair: false },
      platform: { type: 'None' },
    },
    status: { replicas: have, conditions: conditions.map(condition) },
  } as unknown as NodePool;
}

export function aComponent(name: string, conditions: readonly Told[]): ControlPlaneComponent {
  return {
    apiVersion: 'hypershift.openshift.io/v1beta1',
    kind: 'ControlPlaneComponent',
    metadata: { name, namespace: 'clusters-demo' },
    status: { conditions: conditions.map(condition), version: '4.20.1' },
  } as unknown as ControlPlaneComponent;
}

export const done = [yes('Available'), yes('RolloutComplete')];
export const waitsFor = (...names: string[]) => [
  no('Available', 'NotFound', 'not there'),
  no('RolloutComplete', 'WaitingForDependencies', `Waiting for Dependencies: ${names.join(', ')}`),
];

export function aPod(name: string, component: string, status: object, metadata: object = {}): corev1.Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, namespace: 'clusters-demo', labels: { app: component }, ...metadata },
    status,
  } as unknown as corev1.Pod;
}

export function facts(cluster: HostedCluster, more: Partial<ClusterFacts> = {}): ClusterFacts {
  return {
    cluster,
    controlPlaneNamespace: 'clusters-demo',
    hostedControlPlane: undefined,
    components: [],
    pods: [],
    nodePools: [],
    machines: [],
    ...more,
  };
}
