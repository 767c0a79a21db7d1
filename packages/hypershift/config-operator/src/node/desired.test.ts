import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { capiv1beta1 } from '@hypershift-ts/machines-cluster-api';
import { describe, expect, it } from 'vitest';
import { nodePatch, poolProperties } from './desired.ts';

const taints = 'hypershift.openshift.io/nodePoolTaints';
const machine = (annotations: Record<string, string>, labels: Record<string, string> = {}) =>
  ({
    metadata: {
      name: 'm',
      namespace: 'n',
      annotations: { 'hypershift.openshift.io/nodePool': 'clusters/workers', ...annotations },
      labels,
    },
  }) as unknown as capiv1beta1.Machine;
const node = (annotations: Record<string, string> = {}, own: readonly object[] = []) =>
  ({ metadata: { name: 'a', resourceVersion: '1', annotations }, spec: { taints: own } }) as unknown as corev1.Node;

describe('poolProperties', () => {
  it('When the NodePool has not written its taints, it should want nothing yet', () => {
    expect(poolProperties(machine({}))).toBeUndefined();
  });

  it('When a machine belongs to no pool, it should want nothing', () => {
    expect(poolProperties({ metadata: { name: 'm' } } as capiv1beta1.Machine)).toBeUndefined();
  });
});

describe('nodePatch', () => {
  const wanted = poolProperties(
    machine({ [taints]: '[{"key":"gpu","effect":"NoSchedule"}]' }, { 'managed.hypershift.openshift.io.team': 'a' }),
  )!;

  it('When a taint is there already, it should not be there twice', () => {
    const body = nodePatch(
      node({}, [
        { key: 'gpu', effect: 'NoSchedule' },
        { key: 'own', effect: 'NoExecute' },
      ]),
      wanted,
      true,
    );
    expect(body).toMatchObject({
      spec: {
        taints: [
          { key: 'own', effect: 'NoExecute' },
          { key: 'gpu', effect: 'NoSchedule' },
        ],
      },
    });
  });

  it('When nodes are set up once only, a second look should change nothing', () => {
    const done = node({ 'hypershift.openshift.io/labelsSynced': 'true' });
    expect(nodePatch(done, wanted, false)).toBeUndefined();
    expect(nodePatch(done, wanted, true)).toBeUndefined();
  });

  it('When the record says what was put there, it should take away what is no longer wanted', () => {
    const record = JSON.stringify({ labels: { old: '1' }, taints: [{ key: 'old', effect: 'NoSchedule' }] });
    const before = node(
      { 'hypershift.openshift.io/labelsSynced': 'true', 'hypershift-ts.io/node-pool-properties': record },
      [{ key: 'old', effect: 'NoSchedule' }],
    );
    expect(nodePatch(before, wanted, true)).toMatchObject({
      metadata: { labels: { old: null, team: 'a' } },
      spec: { taints: [{ key: 'gpu', effect: 'NoSchedule' }] },
    });
  });
});
