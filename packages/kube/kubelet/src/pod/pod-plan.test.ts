import { describe, expect, it } from 'vitest';
import { aContainer, exited, running, waiting } from './testing/containers.ts';
import { phaseOf } from './pod-phase.ts';
import { planPod } from './pod-plan.ts';

const noBackOff = () => 0;
type Policy = 'Always' | 'OnFailure' | 'Never';

describe('planPod', () => {
  it.each<[string, Policy, ReturnType<typeof aContainer>[], string[]]>([
    ['a new pod starts its main containers together', 'Always', [aContainer('a'), aContainer('b')], ['a', 'b']],
    [
      'init containers come first, one at a time',
      'Always',
      [aContainer('i1', { role: 'init' }), aContainer('i2', { role: 'init' }), aContainer('a')],
      ['i1'],
    ],
    [
      'the next init container follows a completed one',
      'Always',
      [aContainer('i1', { role: 'init', phase: exited(0) }), aContainer('i2', { role: 'init' }), aContainer('a')],
      ['i2'],
    ],
    [
      'a failed init container is tried again',
      'OnFailure',
      [aContainer('i1', { role: 'init', phase: exited(1) }), aContainer('a')],
      ['i1'],
    ],
    [
      'a sidecar that has not started holds the rest back',
      'Always',
      [aContainer('s', { role: 'sidecar', phase: running() }), aContainer('a')],
      [],
    ],
    [
      'a started sidecar lets the rest go on',
      'Always',
      [aContainer('s', { role: 'sidecar', phase: running(), started: true }), aContainer('a')],
      ['a'],
    ],
    [
      'a sidecar that ended is started again beside its pod',
      'Always',
      [aContainer('s', { role: 'sidecar', phase: exited(0) }), aContainer('a', { phase: running() })],
      ['s'],
    ],
    ['Always restarts success', 'Always', [aContainer('a', { phase: exited(0) })], ['a']],
    [
      'OnFailure restarts failure',
      'OnFailure',
      [aContainer('a', { phase: exited(1) }), aContainer('b', { phase: running() })],
      ['a'],
    ],
    [
      'OnFailure leaves success',
      'OnFailure',
      [aContainer('a', { phase: exited(0) }), aContainer('b', { phase: running() })],
      [],
    ],
    [
      'init containers are not run again beside running main containers',
      'Always',
      [aContainer('i', { role: 'init' }), aContainer('a', { phase: running() })],
      [],
    ],
  ])('When %s, it should plan that', (_text, restartPolicy, containers, start) => {
    const plan = planPod({ restartPolicy, containers, backOffOf: noBackOff });
    expect(plan.start.map(({ name }) => name)).toEqual(start);
    expect(plan.finished).toBeUndefined();
  });

  it.each<[Policy, ReturnType<typeof aContainer>[], string]>([
    ['Never', [aContainer('a', { phase: exited(0) })], 'Succeeded'],
    ['Never', [aContainer('a', { phase: exited(0) }), aContainer('b', { phase: exited(2) })], 'Failed'],
    ['OnFailure', [aContainer('a', { phase: exited(0) })], 'Succeeded'],
    ['Never', [aContainer('i', { role: 'init', phase: exited(1) }), aContainer('a')], 'Failed'],
    [
      'Never',
      [aContainer('s', { role: 'sidecar', phase: exited(1) }), aContainer('a', { phase: exited(0) })],
      'Succeeded',
    ],
  ])('When nothing is left to run with %s, it should finish the pod', (restartPolicy, containers, phase) => {
    const plan = planPod({ restartPolicy, containers, backOffOf: noBackOff });
    expect(plan).toMatchObject({ finished: phase, start: [] });
  });

  it('When a container has to wait, it should be held back with the time that is left', () => {
    const plan = planPod({
      restartPolicy: 'Always',
      containers: [aContainer('a', { phase: exited(1) })],
      backOffOf: () => 700,
    });
    expect(plan.backingOff).toMatchObject([{ container: { name: 'a' }, remainingMs: 700 }]);
    expect(plan.start).toEqual([]);
  });
});

describe('phaseOf', () => {
  it.each<[string, Policy, ReturnType<typeof aContainer>[], string]>([
    ['nothing started', 'Always', [aContainer('a')], 'Pending'],
    ['initializing', 'Always', [aContainer('i', { role: 'init', phase: running() }), aContainer('a')], 'Pending'],
    ['running', 'Always', [aContainer('a', { phase: running() })], 'Running'],
    [
      'one of two running',
      'Never',
      [aContainer('a', { phase: running() }), aContainer('b', { phase: exited(0) })],
      'Running',
    ],
    ['one of two not yet started', 'Always', [aContainer('a', { phase: exited(0) }), aContainer('b')], 'Pending'],
    [
      'crash loop',
      'Always',
      [aContainer('a', { phase: waiting('CrashLoopBackOff'), last: exited(1).exit })],
      'Running',
    ],
    ['all well and over', 'OnFailure', [aContainer('a', { phase: exited(0) })], 'Succeeded'],
    ['failed for good', 'Never', [aContainer('a', { phase: exited(1) })], 'Failed'],
    ['failed, to be retried', 'OnFailure', [aContainer('a', { phase: exited(1) })], 'Running'],
    [
      'over but for a sidecar',
      'Never',
      [aContainer('s', { role: 'sidecar', phase: running() }), aContainer('a', { phase: exited(0) })],
      'Running',
    ],
  ])('When a pod is %s, it should say so', (_text, policy, containers, phase) => {
    expect(phaseOf(policy, containers)).toBe(phase);
  });
});
