import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { upgradePlan } from './plan.ts';

const prefix = 'machineconfiguration.openshift.io';
function aNode(name: string, current: string, desired = current, more: Record<string, string> = {}): corev1.Node {
  const annotations = {
    [`${prefix}/currentConfig`]: current,
    [`${prefix}/desiredConfig`]: desired,
    [`${prefix}/state`]: 'Done',
    ...more,
  };
  return { apiVersion: 'v1', kind: 'Node', metadata: { name, annotations } };
}
const facts = { target: 'new', current: 'old', maxUnavailable: 1 };
const names = (nodes: readonly corev1.Node[]) => nodes.map(({ metadata }) => metadata.name);

describe('upgradePlan', () => {
  it('When more may be unavailable than there are nodes, it should start all of them', () => {
    const plan = upgradePlan({ ...facts, nodes: [aNode('a', 'old'), aNode('b', 'old')], maxUnavailable: 5 });
    expect(names(plan.start)).toEqual(['a', 'b']);
  });

  it('When one node is at work, it should start no other with a limit of one', () => {
    const plan = upgradePlan({ ...facts, nodes: [aNode('a', 'old', 'new'), aNode('b', 'old')] });
    expect(plan.start).toEqual([]);
    expect(names(plan.busy)).toEqual(['a']);
  });

  it('When a node is on its way to an older target, it should be redirected without counting anew', () => {
    const plan = upgradePlan({ ...facts, nodes: [aNode('a', 'old', 'older'), aNode('b', 'old')] });
    expect(names(plan.start)).toEqual(['a']);
  });

  it('When a drain is not answered yet, a node should not count as done', () => {
    const waiting = { [`${prefix}/desiredDrain`]: 'uncordon-new', [`${prefix}/lastAppliedDrain`]: 'drain-new' };
    const plan = upgradePlan({ ...facts, nodes: [aNode('a', 'new', 'new', waiting)] });
    expect(plan).toMatchObject({ finished: false, upgraded: [] });
  });

  it('When there are no nodes, it should be finished', () => {
    expect(upgradePlan({ ...facts, nodes: [] }).finished).toBe(true);
  });

  it('When a node degrades, it should start nothing more', () => {
    const sick = aNode('a', 'old', 'new', { [`${prefix}/state`]: 'Degraded', [`${prefix}/reason`]: 'full disk' });
    const plan = upgradePlan({ ...facts, nodes: [sick, aNode('b', 'old')], maxUnavailable: 2 });
    expect(plan).toMatchObject({ degraded: { node: 'a', reason: 'full disk' }, start: [] });
  });
});
