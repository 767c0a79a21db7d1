import { type corev1, ManualClock } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { isStarting, StartSteps } from './start-steps.ts';
import { aContainer, exited, running, waiting } from './testing/containers.ts';

const pod: corev1.Pod = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web', namespace: 'default', uid: 'u' },
  spec: { containers: [{ name: 'a', image: 'x' }] },
};
const conditions = (ready: string) => [{ type: 'Ready', status: ready }];
const creating = aContainer('a', { phase: waiting('ContainerCreating') });
const unready = aContainer('a', { phase: running(), started: true });

describe('isStarting', () => {
  it.each([
    ['nothing runs yet', [creating]],
    ['a container runs and is not ready', [unready]],
    ['init containers are done', [aContainer('i', { role: 'init', phase: exited(0), ready: true }), unready]],
  ])('When %s, it should be a step on the way', (_text, containers) => {
    expect(isStarting(pod, containers)).toBe(true);
  });

  it.each([
    ['everything is ready', [aContainer('a', { phase: running(), ready: true })]],
    ['an image cannot be pulled', [aContainer('a', { phase: waiting('ErrImagePull') })]],
    ['a container was restarted', [aContainer('a', { phase: running(), restartCount: 1 })]],
    ['a container ended', [aContainer('a', { phase: exited(0) })]],
    ['an init container failed', [aContainer('i', { role: 'init', phase: exited(1) }), creating]],
  ])('When %s, it should be news', (_text, containers) => {
    expect(isStarting(pod, containers)).toBe(false);
  });

  it('When a ready pod becomes unready, it should be news', () => {
    expect(isStarting({ ...pod, status: { conditions: conditions('True') } }, [unready])).toBe(false);
  });
});

describe('StartSteps', () => {
  it('When a start goes on, it should be told after a moment, counted from its first step', () => {
    const clock = new ManualClock(0);
    const steps = new StartSteps(clock);
    expect(steps.waitMs(pod, [creating])).toBe(500);
    clock.advance(400);
    expect(steps.waitMs(pod, [unready])).toBe(100);
    clock.advance(100);
    expect(steps.waitMs(pod, [unready])).toBeUndefined();
  });

  it('When the pod is ready, it should be told at once', () => {
    const steps = new StartSteps(new ManualClock(0));
    steps.waitMs(pod, [creating]);
    expect(steps.waitMs(pod, [aContainer('a', { phase: running(), ready: true })])).toBeUndefined();
  });
});
