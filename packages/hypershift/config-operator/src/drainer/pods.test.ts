import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { podsToMove } from './pods.ts';

const now = Date.UTC(2026, 0, 1);
const pod = (name: string, metadata: object = {}, status: object = { phase: 'Running' }) =>
  ({ apiVersion: 'v1', kind: 'Pod', metadata: { name, namespace: 'app', ...metadata }, status }) as corev1.Pod;
const node = (ready: string) =>
  ({
    apiVersion: 'v1',
    kind: 'Node',
    metadata: { name: 'a' },
    status: { conditions: [{ type: 'Ready', status: ready }] },
  }) as corev1.Node;
const leaving = { deletionTimestamp: '2025-12-31T23:50:00Z' };

describe('podsToMove', () => {
  it('When pods belong to the node itself, it should leave them alone', () => {
    const pods = [
      pod('web'),
      pod('mirror', { annotations: { 'kubernetes.io/config.mirror': 'x' } }),
      pod('agent', {
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'u', controller: true }],
      }),
      pod('machine-config-daemon-a'),
      pod('finished', {}, { phase: 'Succeeded' }),
      pod('stuck', leaving),
    ];
    expect(podsToMove(node('True'), pods, now).map(({ metadata }) => metadata.name)).toEqual(['web', 'stuck']);
  });

  it('When the node does not answer, it should not wait for pods that have been leaving for long', () => {
    expect(podsToMove(node('Unknown'), [pod('stuck', leaving)], now)).toEqual([]);
  });
});
