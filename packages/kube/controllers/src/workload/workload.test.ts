import { appsv1, type corev1, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import type { Client, Informer } from '@hypershift-ts/kube-client';
import { describe, expect, it } from 'vitest';
import { podsToDelete } from './deletion-order.ts';
import { Expectations } from './expectations.ts';
import { scaledValue } from './int-or-percent.ts';
import { availableIn, nextAvailableIn } from './pod-state.ts';
import { templateHash } from './pod-template.ts';
import { slowStart } from './slow-start.ts';
import { isOwnStatus, writeStatus } from './status.ts';

const now = Date.UTC(2026, 0, 1);
const aPod = (
  name: string,
  state: { node?: string; ready?: boolean; phase?: string; cost?: string; since?: string } = {},
) =>
  ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name, annotations: state.cost ? { 'controller.kubernetes.io/pod-deletion-cost': state.cost } : {} },
    spec: { containers: [], ...(state.node ? { nodeName: state.node } : {}) },
    status: {
      phase: state.phase ?? 'Running',
      conditions: [
        {
          type: 'Ready',
          status: state.ready === false ? 'False' : 'True',
          lastTransitionTime: state.since ?? '2025-12-31T23:59:00Z',
        },
      ],
    },
  }) as unknown as corev1.Pod;

describe('podsToDelete', () => {
  it.each([
    ['unassigned', [aPod('a', { node: 'n' }), aPod('b')]],
    ['pending', [aPod('a', { node: 'n' }), aPod('b', { node: 'n', phase: 'Pending' })]],
    ['not ready', [aPod('a', { node: 'n' }), aPod('b', { node: 'n', ready: false })]],
    ['cheaper', [aPod('a', { node: 'n', cost: '10' }), aPod('b', { node: 'n', cost: '-5' })]],
    [
      'crowded',
      [aPod('a', { node: 'm' }), aPod('b', { node: 'n' }), aPod('c', { node: 'n', since: '2025-01-01T00:00:00Z' })],
    ],
    ['ready for a shorter time', [aPod('a', { node: 'n', since: '2025-01-01T00:00:00Z' }), aPod('b', { node: 'n' })]],
  ])('When one pod is %s, it should go first', (_why, pods) => {
    expect(podsToDelete(pods, pods, 1).map(({ metadata }) => metadata.name)).toEqual(['b']);
  });
});

describe('scaledValue', () => {
  it.each([
    [3, 10, 'up', 3],
    ['25%', 10, 'up', 3],
    ['25%', 10, 'down', 2],
    ['100%', 7, 'down', 7],
    ['4', 10, 'up', 4],
    [undefined, 10, 'up', 0],
  ] as const)('When %s of %i is rounded %s, it should be %i', (value, total, round, expected) => {
    expect(scaledValue(value, total, round)).toBe(expected);
  });
});

describe('availability', () => {
  it('When a pod must be ready for a while, it should say how long is left', () => {
    expect(availableIn(aPod('a'), 0, now)).toBe(0);
    expect(availableIn(aPod('a'), 90, now)).toBe(30_000);
    expect(availableIn(aPod('a', { ready: false }), 90, now)).toBeUndefined();
    expect(nextAvailableIn([aPod('a'), aPod('b', { ready: false })], 90, now)).toBe(30_000);
    expect(nextAvailableIn([aPod('a')], 0, now)).toBeUndefined();
  });
});

describe('Expectations', () => {
  const informer = (resourceVersion: string, ...pods: KubeObject[]) =>
    ({
      activity: { resourceVersion },
      get: (key: string) => pods.find(({ metadata }) => `${metadata.namespace}/${metadata.name}` === key),
    }) as unknown as Informer<KubeObject>;
  const made = (resourceVersion: string, extra: object = {}): KubeObject => ({
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { namespace: 'ns', name: 'p', uid: 'u', resourceVersion, ...extra },
  });

  it('When the cache has not seen what was created, it should wait until it has', () => {
    const expectations = new Expectations();
    expectations.created('ns/rs', made('9'));
    expectations.created('ns/rs', made('12'));
    expect(expectations.satisfied('ns/rs', informer('10'))).toBe(false);
    expect(expectations.satisfied('ns/rs', informer('12'))).toBe(true);
    expect(expectations.satisfied('ns/other', informer('1'))).toBe(true);
  });

  it('When a deletion is not seen yet, it should wait until the object is leaving, gone or another', () => {
    const waiting = (pods: KubeObject[]) => {
      const expectations = new Expectations();
      expectations.deleted('ns/rs', made('9'));
      return expectations.satisfied('ns/rs', informer('20', ...pods));
    };
    expect(waiting([made('9')])).toBe(false);
    expect(waiting([made('10', { deletionTimestamp: 'x' })])).toBe(true);
    expect(waiting([made('11', { uid: 'v' })])).toBe(true);
    expect(waiting([])).toBe(true);
  });
});

describe('slowStart', () => {
  it('When calls fail, it should stop after the batch instead of trying all', async () => {
    const calls: number[] = [];
    const result = await slowStart(100, async (index) => {
      calls.push(index);
      if (index >= 2) throw new Error('quota');
    });
    expect(calls).toEqual([0, 1, 2]);
    expect(result.succeeded).toBe(2);
    expect(result.error).toMatchObject({ message: 'quota' });
  });
});

describe('templateHash', () => {
  it('When only the order or absent members differ, it should stay; a collision should change it', () => {
    const hash = templateHash({ a: 1, b: [{ c: undefined, d: 2 }] }, undefined);
    expect(templateHash({ b: [{ d: 2 }], a: 1, e: null }, undefined)).toBe(hash);
    expect(templateHash({ a: 1, b: [{ d: 3 }] }, undefined)).not.toBe(hash);
    expect(templateHash({ a: 1, b: [{ d: 2 }] }, 1)).not.toBe(hash);
    expect(hash).toMatch(/^[bcdfghjklmnpqrstvwxz2456789]+$/);
  });
});

describe('isOwnStatus', () => {
  const set = (resourceVersion: string, status?: object, labels = {}): appsv1.ReplicaSet =>
    ({
      apiVersion: 'apps/v1',
      kind: 'ReplicaSet',
      metadata: { name: 'a', generation: 1, resourceVersion, labels },
      spec: {},
      ...(status ? { status } : {}),
    }) as appsv1.ReplicaSet;
  const client = { update: async (_: unknown, object: object) => object } as unknown as Client;

  it.each([
    ['it is what was written', { replicas: 1 }, {}, true],
    ['somebody else wrote another status', { replicas: 2 }, {}, false],
    ['somebody else changed more than the status', { replicas: 1 }, { app: 'b' }, false],
  ])('When %s, it should tell', async (_, status, labels, expected) => {
    const before = set('1');
    await writeStatus(client, appsv1.replicasets, before, { replicas: 1 });
    expect(isOwnStatus(before, set('2', status, labels))).toBe(expected);
  });

  it('When nothing was written onto a version, it should be the change of somebody else', () => {
    expect(isOwnStatus(set('1'), set('2', { replicas: 1 }))).toBe(false);
  });
});
