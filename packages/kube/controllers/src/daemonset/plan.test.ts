import type { appsv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { FailureBackOff } from './failure-back-off.ts';
import { fitsNode, specForNode } from './placement.ts';
import { daemonStatus, planPlacement, planRollingUpdate } from './plan.ts';

const now = Date.UTC(2026, 0, 2);
const aSet = (spec: object = {}, podSpec: object = {}) =>
  ({
    apiVersion: 'apps/v1',
    kind: 'DaemonSet',
    metadata: { name: 'agent', namespace: 'ns', uid: 'u' },
    spec: { selector: {}, template: { spec: { containers: [], ...podSpec } }, ...spec },
  }) as unknown as appsv1.DaemonSet;
const aNode = (name: string, spec: object = {}, labels: object = {}) =>
  ({ metadata: { name, labels }, spec }) as unknown as corev1.Node;
const aPod = (
  name: string,
  node: string,
  state: { hash?: string; ready?: boolean; phase?: string; leaving?: boolean } = {},
) =>
  ({
    metadata: {
      name,
      uid: name,
      creationTimestamp: '2026-01-01T00:00:00Z',
      labels: { 'controller-revision-hash': state.hash ?? 'new' },
      ...(state.leaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
    },
    spec: { containers: [], nodeName: node },
    status: {
      phase: state.phase ?? 'Running',
      conditions: [{ type: 'Ready', status: state.ready === false ? 'False' : 'True' }],
    },
  }) as unknown as corev1.Pod;
const names = (pods: readonly corev1.Pod[]) => pods.map(({ metadata }) => metadata.name);

describe('fitsNode', () => {
  it.each([
    [
      'a cordoned node',
      aSet(),
      aNode('a', { taints: [{ key: 'node.kubernetes.io/unschedulable', effect: 'NoSchedule' }] }),
      true,
      true,
    ],
    [
      'a node that is not ready',
      aSet(),
      aNode('a', { taints: [{ key: 'node.kubernetes.io/not-ready', effect: 'NoExecute' }] }),
      true,
      true,
    ],
    ['a dedicated node', aSet(), aNode('a', { taints: [{ key: 'x', effect: 'NoSchedule' }] }), false, true],
    ['a node that throws pods out', aSet(), aNode('a', { taints: [{ key: 'x', effect: 'NoExecute' }] }), false, false],
    ['another kind of node', aSet({}, { nodeSelector: { disk: 'ssd' } }), aNode('a'), false, false],
    ['a matching node', aSet({}, { nodeSelector: { disk: 'ssd' } }), aNode('a', {}, { disk: 'ssd' }), true, true],
  ])('When it is %s, it should be decided so', (_name, set, node, run, stay) => {
    expect(fitsNode(set, node)).toEqual({ run, stay });
  });
});

describe('planPlacement', () => {
  it('When nodes lack, have too many or must not have a daemon, it should even that out', () => {
    const nodes = [aNode('a'), aNode('b'), aNode('c', { taints: [{ key: 'x', effect: 'NoExecute' }] })];
    const pods = [aPod('b1', 'b'), aPod('b2', 'b'), aPod('c1', 'c')];
    const plan = planPlacement({ set: aSet(), nodes, pods, hash: 'new', now });
    expect(plan.create).toEqual(['a']);
    expect(names(plan.delete)).toEqual(['b2', 'c1']);
  });

  it('When a daemon failed, it should be replaced', () => {
    const plan = planPlacement({
      set: aSet(),
      nodes: [aNode('a')],
      pods: [aPod('a1', 'a', { phase: 'Failed' })],
      hash: 'new',
      now,
    });
    expect(names(plan.failed)).toEqual(['a1']);
  });
});

describe('planRollingUpdate', () => {
  const nodes = [aNode('a'), aNode('b'), aNode('c')];
  const old = (ready = true) =>
    nodes.map(({ metadata }) => aPod(`${metadata.name}1`, metadata.name ?? '', { hash: 'old', ready }));

  it('When all are old, it should begin with one, with broken ones all at once', () => {
    expect(names(planRollingUpdate({ set: aSet(), nodes, pods: old(), hash: 'new', now }).delete)).toEqual(['a1']);
    expect(names(planRollingUpdate({ set: aSet(), nodes, pods: old(false), hash: 'new', now }).delete)).toEqual([
      'a1',
      'b1',
      'c1',
    ]);
  });

  it('When one is down already, it should wait', () => {
    const pods = [aPod('a2', 'a', { ready: false }), ...old().slice(1)];
    expect(planRollingUpdate({ set: aSet(), nodes, pods, hash: 'new', now }).delete).toEqual([]);
  });

  it('When it may surge, it should add before it takes away', () => {
    const set = aSet({ updateStrategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } } });
    expect(planRollingUpdate({ set, nodes, pods: old(), hash: 'new', now })).toEqual({ create: ['a'], delete: [] });
    const ready = [...old(), aPod('a2', 'a')];
    expect(names(planRollingUpdate({ set, nodes, pods: ready, hash: 'new', now }).delete)).toEqual(['a1']);
  });
});

describe('daemon pods', () => {
  it('When made for a node, it should be bound to that node by affinity and keep other terms', () => {
    const terms = [{ matchExpressions: [{ key: 'disk', operator: 'Exists' }] }];
    const affinity = { nodeAffinity: { requiredDuringSchedulingIgnoredDuringExecution: { nodeSelectorTerms: terms } } };
    const spec = specForNode(aSet({}, { affinity }), 'a');
    expect(spec.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution?.nodeSelectorTerms).toEqual([
      { ...terms[0], matchFields: [{ key: 'metadata.name', operator: 'In', values: ['a'] }] },
    ]);
  });

  it('When it fails again and again, it should be replaced less and less often', () => {
    const backOff = new FailureBackOff();
    expect(backOff.waitFor('ns/agent/a', aPod('1', 'a'), now)).toBe(0);
    expect(backOff.waitFor('ns/agent/a', aPod('2', 'a'), now)).toBe(1_000);
    expect(backOff.waitFor('ns/agent/a', aPod('2', 'a'), now + 400)).toBe(600);
    expect(backOff.waitFor('ns/agent/a', aPod('3', 'a'), now + 1_000)).toBe(2_000);
  });

  it('When counted, misplaced and missing ones should show', () => {
    const nodes = [aNode('a'), aNode('b'), aNode('c', { taints: [{ key: 'x', effect: 'NoSchedule' }] })];
    const status = daemonStatus({ set: aSet(), nodes, pods: [aPod('a1', 'a'), aPod('c1', 'c')], hash: 'new', now });
    expect(status).toMatchObject({
      desiredNumberScheduled: 2,
      currentNumberScheduled: 1,
      numberMisscheduled: 1,
      numberUnavailable: 1,
    });
  });
});
