import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import type { Cluster, Machine, MachineDrainRule } from '../../generated/capiv1beta1.ts';
import { fateOf, rulesFor } from './pod-fate.ts';

const none = { rules: [], namespaceLabels: new Map() };

function aPod(metadata: corev1.Pod['metadata'] = {}): corev1.Pod {
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: { name: 'p', namespace: 'default', ...metadata },
    spec: { containers: [] },
  };
}

function aRule(name: string, spec: MachineDrainRule['spec']): MachineDrainRule {
  return { apiVersion: '', kind: 'MachineDrainRule', metadata: { name }, spec };
}

describe('fateOf', () => {
  it('When a pod is ordinary, even without a controller, it should be evicted', () => {
    expect(fateOf(aPod(), none)).toEqual({ behavior: 'Drain', order: 0 });
  });

  it('When it belongs to the node or asks to stay, it should be left', () => {
    const owner = { apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'd', controller: true };
    for (const metadata of [
      { ownerReferences: [owner] },
      { annotations: { 'kubernetes.io/config.mirror': 'x' } },
      { labels: { 'cluster.x-k8s.io/drain': 'skip' } },
    ]) {
      expect(fateOf(aPod(metadata), none).behavior).toBe('Skip');
    }
    expect(fateOf(aPod({ labels: { 'cluster.x-k8s.io/drain': 'wait-completed' } }), none).behavior).toBe(
      'WaitCompleted',
    );
  });

  it('When several rules select it, the first by name should decide', () => {
    const rules = [
      aRule('a', { drain: { behavior: 'Drain', order: 10 }, pods: [{ selector: { matchLabels: { app: 'db' } } }] }),
      aRule('b', { drain: { behavior: 'Skip' }, pods: [{ namespaceSelector: { matchLabels: { team: 'x' } } }] }),
    ];
    const namespaceLabels = new Map([['default', { team: 'x' }]]);
    expect(fateOf(aPod({ labels: { app: 'db' } }), { rules, namespaceLabels })).toEqual({
      behavior: 'Drain',
      order: 10,
    });
    expect(fateOf(aPod(), { rules, namespaceLabels }).behavior).toBe('Skip');
  });
});

describe('rulesFor', () => {
  it('When rules select machines, only those of this machine should apply, by name', () => {
    const drain = { behavior: 'Drain' } as const;
    const all = [
      aRule('z', { drain }),
      aRule('b', { drain, machines: [{ selector: { matchLabels: { pool: 'a' } } }] }),
      aRule('a', { drain, machines: [{ selector: { matchLabels: { pool: 'b' } } }] }),
    ];
    const machine = { metadata: { labels: { pool: 'a' } } } as unknown as Machine;
    expect(rulesFor(all, machine, { metadata: {} } as Cluster).map(({ metadata }) => metadata.name)).toEqual([
      'b',
      'z',
    ]);
  });
});
