import { describe, expect, it } from 'vitest';
import { aCluster, aCondition } from '../testing/clusters.ts';
import { ageText, deletionPlan, type LeftOvers, type Remaining } from './index.ts';

const now = new Date('2026-01-01T01:00:00Z');
const nothing: LeftOvers = {
  nodePools: [],
  clusterApiCluster: [],
  privateConnectivity: [],
  hostedControlPlane: [],
  namespace: [],
};
const one = (kind: string, own: Partial<Remaining> = {}): Remaining => ({
  kind,
  name: 'demo',
  namespace: 'clusters-demo',
  ...own,
});
const everything: LeftOvers = {
  nodePools: [
    one('NodePool', {
      namespace: 'clusters',
      deletionTimestamp: '2026-01-01T00:30:00Z',
      finalizers: ['hypershift.openshift.io/finalizer'],
    }),
  ],
  clusterApiCluster: [one('Cluster', { name: 'demo-abcde' })],
  privateConnectivity: [one('AWSEndpointService', { name: 'private-router' })],
  hostedControlPlane: [one('HostedControlPlane', { deletionTimestamp: '2026-01-01T00:59:30Z' })],
  namespace: [one('Namespace', { namespace: undefined })],
};

describe('what a slow namespace says', () => {
  const namespace = (deletionTimestamp: string) => ({
    ...nothing,
    namespace: [one('Namespace', { namespace: undefined, deletionTimestamp, detail: 'pods has 2 instances' })],
  });
  const message = (left: LeftOvers) => deletionPlan(aCluster(), left, now).conditions[0]?.message;
  it('When it takes longer than a minute, it should be shown', () => {
    expect(message(namespace('2026-01-01T00:58:00Z'))).toBe(
      'step 5 of 5: waiting for Namespace demo, deleting for 2m (pods has 2 instances)',
    );
    expect(message(namespace('2026-01-01T00:59:30Z'))).not.toContain('pods');
  });
});

describe('deletionPlan', () => {
  const walk: readonly (readonly [string, LeftOvers, string, string])[] = [
    [
      'all is left',
      everything,
      'WaitingForNodePoolDeletion',
      'step 2 of 5: waiting for NodePool clusters/demo, deleting for 30m, held by hypershift.openshift.io/finalizer',
    ],
    [
      'the pools are gone',
      { ...everything, nodePools: [], hostedControlPlane: [one('HostedControlPlane')] },
      'WaitingForCAPIClusterDeletion',
      'step 2 of 5: waiting for Cluster clusters-demo/demo-abcde, deletion requested',
    ],
    [
      'Cluster API deletes the control plane',
      {
        ...everything,
        nodePools: [],
        hostedControlPlane: [
          one('HostedControlPlane', { deletionTimestamp: '2026-01-01T00:58:00Z', finalizers: ['example.com/held'] }),
        ],
      },
      'WaitingForCAPIClusterDeletion',
      'step 2 of 5: waiting for Cluster clusters-demo/demo-abcde, deletion requested, ' +
        'which waits for HostedControlPlane clusters-demo/demo, deleting for 2m, held by example.com/held',
    ],
    [
      'the machines are gone',
      { ...everything, nodePools: [], clusterApiCluster: [] },
      'WaitingForPrivateConnectivityDeletion',
      'step 3 of 5: waiting for AWSEndpointService clusters-demo/private-router, deletion requested',
    ],
    [
      'the endpoints are gone',
      { ...nothing, hostedControlPlane: everything.hostedControlPlane, namespace: everything.namespace },
      'WaitingForHostedControlPlaneDeletion',
      'step 4 of 5: waiting for HostedControlPlane clusters-demo/demo, deleting for less than a minute',
    ],
    [
      'the control plane is gone',
      { ...nothing, namespace: everything.namespace },
      'WaitingForNamespaceDeletion',
      'step 5 of 5: waiting for Namespace demo, deletion requested',
    ],
  ];
  it.each(walk)('When %s, it should tell phase, blocker and age', (_, left, reason, message) => {
    const plan = deletionPlan(aCluster(), left, now);
    expect(plan.conditions).toEqual([{ type: 'HostedClusterDeleting', status: 'True', reason, message }]);
    expect(plan.requeueAfterMs).toBe(5000);
    expect(plan.finished).toBe(false);
    expect(plan.steps).not.toContain('remove-finalizer');
  });

  it('When machines are left, it should not touch what looks after them', () => {
    expect(deletionPlan(aCluster(), everything, now).steps).toEqual([
      'unpause',
      'request-cloud-cleanup',
      'delete-node-pools',
      'delete-cluster-api-cluster',
      'release-orphaned-machines',
    ]);
  });

  it('When phases end one after the other, each plan should begin like the one before', () => {
    const plans = walk.map(([, left]) => deletionPlan(aCluster(), left, now).steps);
    plans.reduce((before, after) => {
      expect(after.slice(0, before.length)).toEqual(before);
      return after;
    });
  });

  it('When nothing is left, it should remove the finalizer last', () => {
    const plan = deletionPlan(aCluster(), nothing, now);
    expect(plan.finished).toBe(true);
    expect(plan.steps.slice(-3)).toEqual([
      'delete-owned-cluster-rbac',
      'forget-referenced-resources',
      'remove-finalizer',
    ]);
  });

  it('When the namespace is to stay, it should neither delete it nor wait', () => {
    const annotations = { 'hypershift.openshift.io/skip-delete-hosted-controlplane-namespace': 'true' };
    const plan = deletionPlan(aCluster({}, { annotations }), { ...nothing, namespace: everything.namespace }, now);
    expect(plan.finished).toBe(true);
    expect(plan.steps).not.toContain('delete-namespace');
    expect(plan.steps).toContain('remove-oidc-documents');
  });

  it('When several objects are left, it should show the one that waits longest', () => {
    const hostedControlPlane = [
      one('HostedControlPlane'),
      one('HostedControlPlane', { name: 'old', deletionTimestamp: '2025-12-31T22:00:00Z' }),
    ];
    expect(deletionPlan(aCluster(), { ...nothing, hostedControlPlane }, now).conditions[0]?.message).toBe(
      'step 4 of 5: waiting for HostedControlPlane clusters-demo/old and 1 more, deleting for 3h0m',
    );
  });

  describe('with a grace period', () => {
    const annotations = { 'hypershift.openshift.io/destroy-grace-period': '10m' };
    const after = (seconds: number) =>
      deletionPlan(
        aCluster(
          {},
          { annotations },
          {
            conditions: [
              {
                ...aCondition('HostedClusterDestroyed', 'True'),
                lastTransitionTime: new Date(now.getTime() - seconds * 1000).toISOString(),
              },
            ],
          },
        ),
        nothing,
        now,
      );
    it('When everything is gone, it should stay and say so', () => {
      const plan = deletionPlan(aCluster({}, { annotations }), nothing, now);
      expect(plan.conditions).toEqual([
        {
          type: 'HostedClusterDestroyed',
          status: 'True',
          reason: 'WaitingForGracePeriod',
          message: 'Grace period set: 10m0s',
        },
      ]);
      expect(plan.requeueAfterMs).toBe(600_000);
    });
    it('When the period is over, it should go', () => {
      expect(after(60).requeueAfterMs).toBe(540_000);
      expect(after(600).finished).toBe(true);
    });
    it('When the period is nonsense, it should not hold anything up', () => {
      const odd = { 'hypershift.openshift.io/destroy-grace-period': 'forever' };
      expect(deletionPlan(aCluster({}, { annotations: odd }), nothing, now).finished).toBe(true);
    });
  });
});

describe('ageText', () => {
  it('When it is not a minute yet, it should not change with every second', () => {
    expect(ageText('2026-01-01T00:59:59Z', now)).toBe('less than a minute');
  });
});
