import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Machine } from '../generated/capiv1beta1.ts';
import { isNodeLabel, nodePatch } from './node.ts';

const machine: Machine = {
  apiVersion: '',
  kind: 'Machine',
  metadata: {
    name: 'm',
    namespace: 'ns',
    labels: { 'node-role.kubernetes.io/infra': '', pool: 'a' },
    ownerReferences: [
      { apiVersion: 'cluster.x-k8s.io/v1beta1', kind: 'MachineSet', name: 's', uid: 's', controller: true },
    ],
  },
  spec: { clusterName: 'demo', bootstrap: {}, infrastructureRef: {} },
};

function aNode(metadata: corev1.Node['metadata'], taints: readonly corev1.Taint[] = []): corev1.Node {
  return {
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'n', resourceVersion: '7', ...metadata },
    spec: { taints },
  };
}

const told = {
  'cluster.x-k8s.io/cluster-name': 'demo',
  'cluster.x-k8s.io/cluster-namespace': 'ns',
  'cluster.x-k8s.io/machine': 'm',
  'cluster.x-k8s.io/owner-kind': 'MachineSet',
  'cluster.x-k8s.io/owner-name': 's',
  'cluster.x-k8s.io/labels-from-machine': 'node-role.kubernetes.io/infra',
  'cluster.x-k8s.io/annotations-from-machine': '',
};

describe('nodePatch', () => {
  it('When a node is new, it should tell of its Machine and lose the taint of the uninitialised', () => {
    const taints = [
      { key: 'node.cluster.x-k8s.io/uninitialized', effect: 'NoSchedule' },
      { key: 'mine', effect: 'NoSchedule' },
    ];
    expect(nodePatch(machine, aNode({}, taints))).toEqual({
      metadata: { annotations: told, labels: { 'node-role.kubernetes.io/infra': '' }, resourceVersion: '7' },
      spec: { taints: [{ key: 'mine', effect: 'NoSchedule' }] },
    });
  });

  it('When it tells everything already, there should be nothing to write', () => {
    expect(
      nodePatch(machine, aNode({ annotations: told, labels: { 'node-role.kubernetes.io/infra': '' } })),
    ).toBeUndefined();
  });

  it('When a newer revision replaces its Machine, pods should be led elsewhere, and only as long as that lasts', () => {
    const mine = { key: 'mine', effect: 'NoSchedule' };
    const outdated = { key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' };
    const node = (taints: readonly corev1.Taint[]) =>
      aNode({ annotations: told, labels: { 'node-role.kubernetes.io/infra': '' } }, taints);
    expect(nodePatch(machine, node([mine]), true)).toMatchObject({ spec: { taints: [mine, outdated] } });
    expect(nodePatch(machine, node([mine, outdated]), true)).toBeUndefined();
    expect(nodePatch(machine, node([outdated, mine]), false)).toMatchObject({ spec: { taints: [mine] } });
  });

  it('When a label was taken from the Machine, it should leave the node too, and no other', () => {
    const annotations = {
      ...told,
      'cluster.x-k8s.io/labels-from-machine': 'a.node.cluster.x-k8s.io/x,node-role.kubernetes.io/infra',
    };
    const labels = { 'node-role.kubernetes.io/infra': '', 'a.node.cluster.x-k8s.io/x': '1', own: '1' };
    expect(nodePatch(machine, aNode({ annotations, labels }))).toMatchObject({
      metadata: { labels: { 'a.node.cluster.x-k8s.io/x': null } },
    });
  });
});

describe('isNodeLabel', () => {
  it.each([
    ['node-role.kubernetes.io/worker', true],
    ['team.node-restriction.kubernetes.io/x', true],
    ['node.cluster.x-k8s.io/x', true],
    ['kubernetes.io/hostname', false],
    ['evil-node-restriction.kubernetes.io/x', false],
    ['pool', false],
  ])('When the label is %s, it should be %s', (label, expected) => {
    expect(isNodeLabel(label)).toBe(expected);
  });
});
