import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { nextNodeCidr } from '../node-ipam/node-ipam-controller.ts';
import { evictionTime } from '../taint-eviction/taint-eviction-controller.ts';
import { desiredTaints, unheardConditions } from './node-conditions.ts';

const now = Date.UTC(2026, 0, 1);
const aNode = (ready: string, spec: object = {}) =>
  ({
    metadata: { name: 'n' },
    spec,
    status: { conditions: [{ type: 'Ready', status: ready }] },
  }) as unknown as corev1.Node;

describe('desiredTaints', () => {
  it.each([
    ['True', {}, []],
    ['False', {}, ['node.kubernetes.io/not-ready NoSchedule', 'node.kubernetes.io/not-ready NoExecute']],
    ['Unknown', {}, ['node.kubernetes.io/unreachable NoSchedule', 'node.kubernetes.io/unreachable NoExecute']],
    ['True', { unschedulable: true }, ['node.kubernetes.io/unschedulable NoSchedule']],
    [
      'True',
      {
        taints: [
          { key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' },
          { key: 'mine', effect: 'NoSchedule' },
        ],
      },
      ['mine NoSchedule'],
    ],
  ])('When Ready is %s and the spec %j, it should have %j', (ready, spec, expected) => {
    expect(desiredTaints(aNode(ready, spec), now).map(({ key, effect }) => `${key} ${effect}`)).toEqual(expected);
  });

  it('When nothing changes, it should be the same list', () => {
    const node = aNode('True', { taints: [{ key: 'mine', effect: 'NoSchedule' }] });
    expect(desiredTaints(node, now)).toBe(node.spec?.taints);
  });
});

describe('unheardConditions', () => {
  it('When a node falls silent, what it said becomes unknown and what it never said too', () => {
    const reasons = unheardConditions(aNode('True'), now).map(
      ({ type, status, reason }) => `${type} ${status} ${reason}`,
    );
    expect(reasons).toEqual([
      'Ready Unknown NodeStatusUnknown',
      'MemoryPressure Unknown NodeStatusNeverUpdated',
      'DiskPressure Unknown NodeStatusNeverUpdated',
      'PIDPressure Unknown NodeStatusNeverUpdated',
    ]);
  });
});

describe('evictionTime', () => {
  const taint = { key: 'node.kubernetes.io/unreachable', effect: 'NoExecute', timeAdded: '2025-12-31T23:59:00Z' };
  const pod = (...tolerations: object[]) =>
    ({ metadata: {}, spec: { containers: [], tolerations } }) as unknown as corev1.Pod;
  const tolerating = (seconds?: number) => ({
    key: taint.key,
    operator: 'Exists',
    ...(seconds === undefined ? {} : { tolerationSeconds: seconds }),
  });

  it.each([
    ['nothing is tolerated', pod(), 0],
    ['it is tolerated for ever', pod(tolerating()), undefined],
    ['it is tolerated for 300 s since the taint came', pod(tolerating(300)), 240_000],
    ['the shortest of two limits holds', pod(tolerating(300), tolerating(90)), 30_000],
    ['one toleration has no limit', pod(tolerating(300), tolerating()), undefined],
  ])('When %s, it should leave then', (_name, guest, expected) => {
    const due = evictionTime(guest, [taint], now);
    expect(due === undefined ? undefined : due - now).toBe(expected);
  });
});

describe('nextNodeCidr', () => {
  it('When blocks are taken, it should give the first free one, and none when all are', () => {
    const options = { clusterCidr: '10.244.0.0/22', nodeMaskSize: 24 };
    expect(nextNodeCidr(options, new Set())).toBe('10.244.0.0/24');
    expect(nextNodeCidr(options, new Set(['10.244.0.0/24', '10.244.2.0/24']))).toBe('10.244.1.0/24');
    expect(nextNodeCidr(options, new Set([0, 1, 2, 3].map((i) => `10.244.${i}.0/24`)))).toBeUndefined();
  });
});
