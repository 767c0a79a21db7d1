import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineHealthCheckSpec } from '../generated/capiv1beta1.ts';
import { brakeFor } from './brake.ts';
import { healthOf } from './health.ts';

const start = Date.parse('2026-01-01T00:00:00Z');
const minute = 60_000;
const at = (ms: number) => new Date(ms).toISOString();
const check: MachineHealthCheckSpec = {
  clusterName: 'demo',
  selector: {},
  nodeStartupTimeout: '20m',
  unhealthyConditions: [{ type: 'Ready', status: 'Unknown', timeout: '8m' }],
};

function aCluster(up = true): Cluster {
  const conditions = ['ControlPlaneInitialized', 'InfrastructureReady'].map((type) => ({
    type,
    status: up ? 'True' : 'False',
    lastTransitionTime: at(start),
  }));
  return { apiVersion: '', kind: 'Cluster', metadata: { name: 'demo' }, spec: {}, status: { conditions } };
}

function aMachine(status: Machine['status'] = {}, annotations: { readonly [key: string]: string } = {}): Machine {
  return {
    apiVersion: '',
    kind: 'Machine',
    metadata: { name: 'm', creationTimestamp: at(start), annotations },
    spec: { clusterName: 'demo', bootstrap: {}, infrastructureRef: {} },
    status,
  };
}

const aNode = (status: string, sinceMs: number): corev1.Node => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name: 'n' },
  status: { conditions: [{ type: 'Ready', status, reason: 'NodeStatusUnknown', lastTransitionTime: at(sinceMs) }] },
});
const joined = aMachine({ nodeRef: { name: 'n' } });

describe('healthOf', () => {
  it('When the node is ready, it should be healthy', () => {
    expect(healthOf({ machine: joined, node: aNode('True', start) }, check, aCluster(), start)).toEqual({
      state: 'healthy',
    });
  });

  it('When the node is unwell for less than the timeout, it should wait for the rest of it', () => {
    const health = healthOf({ machine: joined, node: aNode('Unknown', start) }, check, aCluster(), start + 7 * minute);
    expect(health).toEqual({ state: 'pending', nextLookMs: minute + 1000 });
  });

  it('When it is unwell for longer, it should be unhealthy', () => {
    expect(
      healthOf({ machine: joined, node: aNode('Unknown', start) }, check, aCluster(), start + 8 * minute + 1),
    ).toEqual({
      state: 'unhealthy',
      reason: 'UnhealthyNode',
      message: 'Condition Ready on Node is reporting status Unknown with reason NodeStatusUnknown for more than 8m0s',
    });
  });

  it('When the node is gone, it should be unhealthy at once', () => {
    expect(healthOf({ machine: joined, node: undefined }, check, aCluster(), start)).toMatchObject({
      reason: 'NodeNotFound',
    });
  });

  it('When no node comes, it should count from when the infrastructure was ready', () => {
    const ready = [{ type: 'InfrastructureReady', status: 'True', lastTransitionTime: at(start + 10 * minute) }];
    const target = { machine: aMachine({ conditions: ready }), node: undefined };
    expect(healthOf(target, check, aCluster(), start + 29 * minute)).toEqual({
      state: 'pending',
      nextLookMs: minute + 1000,
    });
    expect(healthOf(target, check, aCluster(), start + 30 * minute + 1)).toEqual({
      state: 'unhealthy',
      reason: 'NodeStartupTimeout',
      message: 'Node failed to report startup in 20m0s',
    });
    const never = { ...check, nodeStartupTimeout: '0s' };
    expect(healthOf(target, never, aCluster(), start + 9999 * minute)).toEqual({ state: 'pending' });
  });

  it('When the cluster is not up, only the mark of a user should count', () => {
    const late = start + 9999 * minute;
    expect(healthOf({ machine: aMachine(), node: undefined }, check, aCluster(false), late)).toEqual({
      state: 'pending',
    });
    const marked = aMachine({}, { 'cluster.x-k8s.io/remediate-machine': '' });
    expect(healthOf({ machine: marked, node: undefined }, check, aCluster(false), late)).toMatchObject({
      reason: 'HasRemediateMachineAnnotation',
    });
  });
});

describe('brakeFor', () => {
  it.each([
    [{ maxUnhealthy: 2 }, 5, 2, true, 0],
    [{ maxUnhealthy: 2 }, 5, 3, false, 0],
    [{ maxUnhealthy: '40%' }, 4, 1, true, 0],
    [{ maxUnhealthy: '40%' }, 4, 2, false, 0],
    [{}, 4, 4, true, 0],
    [{ unhealthyRange: '[1-3]' }, 9, 1, true, 2],
    [{ unhealthyRange: '[1-3]' }, 9, 4, false, 0],
    [{ unhealthyRange: '[2-3]' }, 9, 1, false, 2],
  ])('When %o and of %s machines %s are unwell, allowed should be %s', (limit, total, unhealthy, allowed, left) => {
    expect(brakeFor({ ...check, ...limit }, total, unhealthy)).toMatchObject({ allowed, remediationsAllowed: left });
  });
});
