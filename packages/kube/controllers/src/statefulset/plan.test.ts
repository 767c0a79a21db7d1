import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { claimOwners, ordinalOf, podFor } from './identity.ts';
import { planSteps } from './plan.ts';
import { setStatus } from './set-status.ts';

const aSet = (replicas: number, spec: object = {}, status: object = {}) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'StatefulSet',
    metadata: { name: 'db', namespace: 'ns', uid: 'u' },
    spec: {
      replicas,
      serviceName: 'db',
      selector: { matchLabels: { app: 'db' } },
      template: { spec: { containers: [] } },
      ...spec,
    },
    status,
  }) as unknown as appsv1.StatefulSet;

const aPod = (ordinal: number, state: { revision?: string; ready?: boolean; leaving?: boolean; phase?: string } = {}) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name: `db-${ordinal}`,
      uid: `p${ordinal}`,
      labels: { 'controller-revision-hash': state.revision ?? 'new' },
      ...(state.leaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { containers: [] },
    status: {
      phase: state.phase ?? 'Running',
      conditions: [
        { type: 'Ready', status: state.ready === false ? 'False' : 'True', lastTransitionTime: '2026-01-01T00:00:00Z' },
      ],
    },
  }) as unknown as corev1.Pod;

const steps = (set: appsv1.StatefulSet, pods: corev1.Pod[]) =>
  planSteps({ set, pods, currentRevision: 'old', updateRevision: 'new', now: Date.UTC(2026, 0, 2) }).map((step) =>
    step.do === 'create' ? `+${step.ordinal} ${step.revision}` : `-${step.pod.metadata.name}`,
  );

const parallel = { podManagementPolicy: 'Parallel' };
const partition = (value: number) => ({
  updateStrategy: { type: 'RollingUpdate', rollingUpdate: { partition: value } },
});

describe('planSteps', () => {
  it.each([
    ['nothing is there', aSet(3), [], ['+0 update']],
    ['the first is not ready', aSet(3), [aPod(0, { ready: false })], []],
    ['the first is ready', aSet(3), [aPod(0)], ['+1 update']],
    ['order does not matter', aSet(3, parallel), [aPod(1, { ready: false })], ['+0 update', '+2 update']],
    ['numbers start at 5', aSet(2, { ordinals: { start: 5 } }), [], ['+5 update']],
    ['a pod failed', aSet(1), [aPod(0, { phase: 'Failed' })], ['-db-0']],
    ['it shrinks', aSet(1), [aPod(0), aPod(1), aPod(2)], ['-db-2']],
    ['it shrinks and the last is leaving', aSet(1), [aPod(0), aPod(1), aPod(2, { leaving: true })], []],
    ['it shrinks in parallel', aSet(1, parallel), [aPod(0), aPod(1), aPod(2)], ['-db-2', '-db-1']],
    ['it shrinks to nothing', aSet(0), [aPod(0), aPod(1)], ['-db-1']],
    ['the template changed', aSet(2), [aPod(0, { revision: 'old' }), aPod(1, { revision: 'old' })], ['-db-1']],
    ['an updated one is not ready', aSet(2, parallel), [aPod(0, { revision: 'old' }), aPod(1, { ready: false })], []],
    ['a partition holds it back', aSet(2, partition(1)), [aPod(0, { revision: 'old' }), aPod(1)], []],
    ['a pod below the partition is missing', aSet(2, partition(1)), [aPod(1)], ['+0 current']],
    [
      'updates wait for deletion',
      aSet(1, { updateStrategy: { type: 'OnDelete' } }),
      [aPod(0, { revision: 'old' })],
      [],
    ],
  ])('When %s, it should take the right steps', (_name, set, pods, expected) => {
    expect(steps(set, pods)).toEqual(expected);
  });
});

describe('identity', () => {
  it('When names only look alike, they should not be taken for pods of the set', () => {
    const named = (name: string) => ordinalOf(aSet(1), { ...aPod(0), metadata: { name } });
    expect([named('db-0'), named('db-12'), named('db-01'), named('db-x'), named('other-0')]).toEqual([
      0,
      12,
      undefined,
      undefined,
      undefined,
    ]);
  });

  it('When there are claim templates, volumes of the same name should be theirs', () => {
    const set = aSet(1, { volumeClaimTemplates: [{ metadata: { name: 'data' }, spec: {} }] });
    const template = {
      spec: {
        containers: [],
        volumes: [
          { name: 'data', emptyDir: {} },
          { name: 'tmp', emptyDir: {} },
        ],
      },
    };
    expect(podFor(set, template, 'r', 3).spec.volumes).toEqual([
      { name: 'tmp', emptyDir: {} },
      { name: 'data', persistentVolumeClaim: { claimName: 'data-db-3' } },
    ]);
  });

  it('When the policy says Delete, claims should belong to the set or to the pod that goes', () => {
    const policy = { persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Delete', whenScaled: 'Delete' } };
    expect(claimOwners(aSet(1, policy), undefined, undefined).map(({ kind }) => kind)).toEqual(['StatefulSet']);
    expect(claimOwners(aSet(1, policy), undefined, aPod(1)).map(({ kind }) => kind)).toEqual(['Pod']);
    expect(claimOwners(aSet(1), undefined, aPod(1))).toEqual([]);
  });
});

describe('setStatus', () => {
  it('When the update is complete, the new revision should become the current one', () => {
    const facts = {
      set: aSet(2),
      pods: [aPod(0), aPod(1)],
      currentRevision: 'old',
      updateRevision: 'new',
      now: Date.UTC(2026, 0, 2),
    };
    expect(setStatus(facts, undefined)).toMatchObject({
      currentRevision: 'new',
      currentReplicas: 2,
      updatedReplicas: 2,
    });
    const half = { ...facts, pods: [aPod(0, { revision: 'old' }), aPod(1)] };
    expect(setStatus(half, undefined)).toMatchObject({
      currentRevision: 'old',
      currentReplicas: 1,
      updatedReplicas: 1,
    });
  });
});
