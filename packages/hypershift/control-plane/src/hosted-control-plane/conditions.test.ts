import type { appsv1, Condition } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { testControlPlane } from '../testing/context.ts';
import {
  available,
  degraded,
  etcdAvailable,
  externalDnsReachable,
  infrastructureReady,
  kubeApiServerAvailable,
  validConfiguration,
} from './conditions.ts';

const managed = { 'hypershift.openshift.io/managed-by': 'control-plane-operator' };
const etcd = (ready: number) =>
  ({
    metadata: { name: 'etcd', labels: managed },
    spec: { replicas: 3 },
    status: { readyReplicas: ready, availableReplicas: ready },
  }) as unknown as appsv1.StatefulSet;
const deployment = (name: string, missing: number, available = 'True') =>
  ({
    metadata: { name, labels: managed },
    status: { unavailableReplicas: missing, conditions: [{ type: 'Available', status: available }] },
  }) as unknown as appsv1.Deployment;
const told = ({ status, reason, message }: Condition) => [status, reason, message];
const hcp = testControlPlane();

describe('conditions of a HostedControlPlane', () => {
  it.each([
    ['there is no etcd', etcdAvailable(hcp, undefined), ['False', 'StatefulSetNotFound', '']],
    ['two of three members are ready', etcdAvailable(hcp, etcd(2)), ['True', 'QuorumAvailable', '']],
    [
      'one of three members is ready',
      etcdAvailable(hcp, etcd(1)),
      ['False', 'EtcdWaitingForQuorum', 'Waiting for etcd to reach quorum'],
    ],
    [
      'a volume is missing',
      etcdAvailable(hcp, etcd(1), { name: 'data-etcd-1', events: ['no class'] }),
      ['False', 'EtcdWaitingForQuorum', 'Etcd volume claim data-etcd-1 pending: no class'],
    ],
    [
      'etcd is not ours',
      etcdAvailable(testControlPlane({ spec: { etcd: { managementType: 'Unmanaged' } } }), undefined),
      ['True', 'EtcdRunning', 'Etcd cluster is assumed to be running in unmanaged state'],
    ],
    [
      'there is no API server',
      kubeApiServerAvailable(undefined),
      ['False', 'NotFound', 'Kube APIServer deployment not found'],
    ],
    [
      'the API server starts',
      kubeApiServerAvailable(deployment('kube-apiserver', 3, 'False')),
      ['False', 'WaitingForAvailable', 'Waiting for Kube APIServer deployment to become available'],
    ],
    [
      'the API server runs',
      kubeApiServerAvailable(deployment('kube-apiserver', 0)),
      ['True', 'AsExpected', 'Kube APIServer deployment is available'],
    ],
    ['nothing lacks replicas', degraded([deployment('a', 0)], [etcd(3)]), ['False', 'AsExpected', 'All is well']],
    [
      'one lacks replicas',
      degraded([deployment('b', 2), deployment('a', 0)]),
      ['True', 'UnavailableReplicas', 'b deployment has 2 unavailable replicas'],
    ],
    [
      'several lack replicas',
      degraded([deployment('z', 1), deployment('b', 2)], [etcd(2)]),
      [
        'True',
        'UnavailableReplicas',
        '[b deployment has 2 unavailable replicas, etcd statefulset has 1 unavailable replicas, z deployment has 1 unavailable replicas]',
      ],
    ],
    [
      'infrastructure cannot be read',
      infrastructureReady(new Error('boom')),
      ['Unknown', 'InfraStatusFailure', 'boom'],
    ],
    [
      'infrastructure is awaited',
      infrastructureReady({ ready: false, message: '' }),
      ['False', 'WaitingOnInfrastructureReady', 'Cluster infrastructure is still provisioning'],
    ],
    [
      'infrastructure is there',
      infrastructureReady({ ready: true, message: '' }),
      ['True', 'AsExpected', 'All is well'],
    ],
    [
      'no external name is set',
      externalDnsReachable(undefined, undefined),
      ['Unknown', 'StatusUnknown', 'External DNS is not configured'],
    ],
    [
      'the external name does not resolve',
      externalDnsReachable('a.b', 'no such host'),
      ['False', 'ExternalDNSHostNotReachable', 'no such host'],
    ],
    ['the spec fits', validConfiguration([]), ['True', 'AsExpected', 'Configuration passes validation']],
    ['Routes are missing', validConfiguration(['x']), ['False', 'InsufficientClusterCapabilities', 'x']],
  ])('When %s, it should say so', (_, found, expected) => {
    expect(told(found)).toEqual(expected);
  });
});

describe('Available', () => {
  const good = ['InfrastructureReady', 'EtcdAvailable', 'KubeAPIServerAvailable'].map(
    (type): Condition => ({ type, status: 'True' }),
  );
  const bad = (type: string, reason: string): readonly Condition[] =>
    good.map((one) => (one.type === type ? { type, status: 'False', reason, message: `${type} says why` } : one));
  const facts = { conditions: good, hasKubeconfig: true, unavailable: [] };
  it.each([
    ['all is well', facts, ['True', 'AsExpected', '']],
    [
      'infrastructure comes first',
      { ...facts, hasKubeconfig: false, conditions: bad('InfrastructureReady', 'WaitingOnInfrastructureReady') },
      ['False', 'WaitingOnInfrastructureReady', 'InfrastructureReady says why'],
    ],
    [
      'no kubeconfig exists',
      { ...facts, hasKubeconfig: false, conditions: bad('EtcdAvailable', 'x') },
      ['False', 'KubeconfigWaitingForCreate', 'Waiting for hosted control plane kubeconfig to be created'],
    ],
    [
      'etcd is down',
      { ...facts, conditions: bad('EtcdAvailable', 'EtcdWaitingForQuorum') },
      ['False', 'EtcdWaitingForQuorum', 'EtcdAvailable says why'],
    ],
    [
      'the API server is down',
      { ...facts, conditions: bad('KubeAPIServerAvailable', 'NotFound') },
      ['False', 'NotFound', 'KubeAPIServerAvailable says why'],
    ],
    [
      'the address does not answer',
      { ...facts, probeFailure: 'refused' },
      ['False', 'KASLoadBalancerNotReachable', 'refused'],
    ],
    [
      'components are missing at first',
      { ...facts, unavailable: ['a', 'b'] },
      ['False', 'ComponentsNotAvailable', 'Waiting for components to be available: a, b'],
    ],
    [
      'no component exists',
      { ...facts, unavailable: undefined },
      ['False', 'ComponentsNotAvailable', 'Control plane components have not been created yet'],
    ],
  ])('When %s, it should give the root cause', (_, given, expected) => {
    expect(told(available(given))).toEqual(expected);
  });
});
