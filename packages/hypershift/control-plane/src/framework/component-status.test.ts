import { describe, expect, it } from 'vitest';
import { componentConditions, type ComponentFacts, componentStatus } from './component-status.ts';

const facts: ComponentFacts = {
  name: 'kube-scheduler',
  kind: 'Deployment',
  resource: 'deployments.apps',
  live: undefined,
  unmet: [],
  version: '4.20.8',
  generation: 3,
  resources: [],
};

function deployment(available: string | undefined, updated: number, ready = updated): object {
  return {
    metadata: { name: 'kube-scheduler', generation: 2 },
    spec: { replicas: 2 },
    status: {
      observedGeneration: 2,
      replicas: 2,
      updatedReplicas: updated,
      readyReplicas: ready,
      availableReplicas: ready,
      ...(available ? { conditions: [{ type: 'Available', status: available, message: 'too few' }] } : {}),
    },
  };
}

const statefulSet = (ready: number): object => ({
  metadata: { name: 'etcd', generation: 1 },
  spec: { replicas: 3 },
  status: { observedGeneration: 1, updatedReplicas: 3, readyReplicas: ready, availableReplicas: ready },
});

const job = (status: object): object => ({ metadata: { name: 'featuregate-generator' }, status });

describe('conditions of a component', () => {
  it.each<[string, Partial<ComponentFacts>, readonly string[], readonly string[]]>([
    [
      'nothing exists',
      {},
      ['False', 'NotFound', 'deployments.apps "kube-scheduler" not found'],
      ['False', 'NotFound', 'deployments.apps "kube-scheduler" not found'],
    ],
    [
      'it was just made',
      { live: deployment(undefined, 0) },
      ['False', 'NotFound', 'kube-scheduler Deployment Available condition not found'],
      [
        'False',
        'WaitingForRolloutComplete',
        'Waiting for deployment kube-scheduler rollout to finish: 0 out of 2 new replicas have been updated',
      ],
    ],
    [
      'it serves while it rolls',
      { live: deployment('True', 1) },
      ['True', 'AsExpected', 'Deployment kube-scheduler is available'],
      [
        'False',
        'WaitingForRolloutComplete',
        'Waiting for deployment kube-scheduler rollout to finish: 1 out of 2 new replicas have been updated',
      ],
    ],
    [
      'it does not serve',
      { live: deployment('False', 2, 0) },
      ['False', 'WaitingForAvailable', 'Deployment kube-scheduler is not available: too few'],
      [
        'False',
        'WaitingForRolloutComplete',
        'Waiting for deployment kube-scheduler rollout to finish: 2 out of 2 new replicas have been updated',
      ],
    ],
    [
      'all is well',
      { live: deployment('True', 2) },
      ['True', 'AsExpected', 'Deployment kube-scheduler is available'],
      ['True', 'AsExpected', 'Deployment kube-scheduler successfully rolled out'],
    ],
    [
      'dependencies are missing',
      { live: deployment('True', 2), unmet: ['a', 'b'] },
      ['True', 'AsExpected', 'Deployment kube-scheduler is available'],
      ['False', 'WaitingForDependencies', 'Waiting for Dependencies: a, b'],
    ],
    [
      'writing failed',
      { live: deployment('True', 2), error: new Error('no') },
      ['True', 'AsExpected', 'Deployment kube-scheduler is available'],
      ['False', 'ReconciliationError', 'no'],
    ],
    [
      'operands lag',
      { live: deployment('True', 2), operands: 'x' },
      ['True', 'AsExpected', 'Deployment kube-scheduler is available'],
      ['False', 'WaitingForOperands', 'x'],
    ],
    [
      'etcd is up',
      { kind: 'StatefulSet', live: statefulSet(3) },
      ['True', 'AsExpected', 'StatefulSet etcd is available'],
      ['True', 'AsExpected', 'Statefulset etcd successfully rolled out'],
    ],
    [
      'etcd is down',
      { kind: 'StatefulSet', live: statefulSet(0) },
      ['False', 'WaitingForAvailable', 'StatefulSet etcd is not available: 0/3 replicas ready'],
      [
        'False',
        'WaitingForRolloutComplete',
        'Waiting for statefulset etcd rollout to finish: 3 out of 3 new replicas have been updated',
      ],
    ],
    [
      'a job runs',
      { kind: 'Job', live: job({ active: 1 }) },
      ['False', 'JobActive', 'Job is still running'],
      ['False', 'JobActive', 'Job is still running'],
    ],
    [
      'a job failed',
      { kind: 'Job', live: job({ conditions: [{ type: 'Failed', status: 'True' }] }) },
      ['False', 'JobFailed', 'Job failed'],
      ['False', 'JobFailed', 'Job failed'],
    ],
  ])('When %s, it should say so', (_, given, available, rolledOut) => {
    const texts = componentConditions({ ...facts, ...given }).map(({ status, reason, message }) => [
      status,
      reason,
      message,
    ]);
    expect(texts).toEqual([available, rolledOut]);
  });

  it('When the rollout is not complete, it should keep the version that was reached before', () => {
    const done = componentStatus(undefined, { ...facts, live: deployment('True', 2) }, '2026-01-01T00:00:00Z');
    expect(done).toMatchObject({ version: '4.20.8', observedGeneration: 3 });
    const rolling = componentStatus(
      done,
      { ...facts, version: '4.21.1', live: deployment('True', 0) },
      '2026-01-01T00:01:00Z',
    );
    expect(rolling.version).toBe('4.20.8');
  });

  it('When nothing changed, it should answer the very same status', () => {
    const first = componentStatus(undefined, facts, '2026-01-01T00:00:00Z');
    expect(componentStatus(first, facts, '2026-01-01T00:05:00Z')).toBe(first);
  });
});
