import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { desiredPodStatus, statusPatch } from './pod-status.ts';
import { aContainer, exited, running, waiting } from './testing/containers.ts';

const pod: corev1.Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u', generation: 1 },
  spec: { containers: [{ name: 'a', image: 'x' }] },
};
const base = { pod, prepared: true, podIP: '127.128.0.5', hostIP: '127.0.0.1', startMs: 0, nowMs: 60_000 };

describe('desiredPodStatus', () => {
  it('When a container is ready, the pod should be, with addresses and conditions', () => {
    const status = desiredPodStatus({
      ...base,
      containers: [aContainer('a', { phase: running(), ready: true, started: true })],
    });
    expect(status).toMatchObject({
      phase: 'Running',
      podIP: '127.128.0.5',
      podIPs: [{ ip: '127.128.0.5' }],
      startTime: '1970-01-01T00:00:00Z',
    });
    expect(status.conditions.map(({ type, status: value }) => `${type}=${value}`)).toEqual([
      'PodReadyToStartContainers=True',
      'Initialized=True',
      'Ready=True',
      'ContainersReady=True',
      'PodScheduled=True',
    ]);
  });

  it('When a readiness gate is not met, the containers are ready but the pod is not', () => {
    const gated = {
      ...pod,
      spec: {
        ...pod.spec,
        containers: pod.spec?.containers ?? [],
        readinessGates: [{ conditionType: 'example.org/ok' }],
      },
    };
    const status = desiredPodStatus({
      ...base,
      pod: gated,
      containers: [aContainer('a', { phase: running(), ready: true })],
    });
    const condition = (type: string) => status.conditions.find((one) => one.type === type);
    expect(condition('ContainersReady')?.status).toBe('True');
    expect(condition('Ready')).toMatchObject({ status: 'False', reason: 'ReadinessGatesNotReady' });
  });

  it('When a container is in a crash loop, its state waits and its last state tells the exit', () => {
    const container = aContainer('a', { phase: waiting('CrashLoopBackOff'), last: exited(7).exit, restartCount: 2 });
    const [status] = desiredPodStatus({ ...base, containers: [container] })[
      'containerStatuses'
    ] as corev1.ContainerStatus[];
    expect(status).toMatchObject({
      restartCount: 2,
      ready: false,
      state: { waiting: { reason: 'CrashLoopBackOff' } },
      lastState: { terminated: { exitCode: 7, reason: 'Error', finishedAt: '1970-01-01T00:00:01Z' } },
    });
  });
});

describe('statusPatch', () => {
  const containers = [aContainer('a', { phase: running(), ready: true, started: true })];
  const desired = desiredPodStatus({ ...base, containers });
  const live = (more: object): corev1.Pod => {
    const { reason: _r, message: _m, ...rest } = desired as unknown as corev1.PodStatus;
    return { ...pod, status: { ...rest, ...more } };
  };

  it('When the server already says the same, nothing should be written', () => {
    expect(statusPatch(live({}), desired)).toBeUndefined();
  });

  it('When others added conditions of theirs, they should be left alone', () => {
    const others = { type: 'DisruptionTarget', status: 'True' };
    expect(statusPatch(live({ conditions: [...desired.conditions, others] }), desired)).toBeUndefined();
  });

  it('When somebody set our condition otherwise, only that condition should be written back', () => {
    const conditions = desired.conditions.map((one) =>
      one.type === 'Ready' ? { ...one, status: 'False', reason: 'NodeNotReady' } : one,
    );
    const patch = statusPatch(live({ conditions }), desired) as { conditions: corev1.PodCondition[] };
    expect(Object.keys(patch)).toEqual(['conditions']);
    expect(patch.conditions).toMatchObject([{ type: 'Ready', status: 'True', reason: null }]);
  });

  it('When a reason is over, it should be taken away', () => {
    expect(statusPatch(live({ reason: 'NodeLost' }), desired)).toEqual({ reason: null });
  });
});
