import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { troubleIn } from './pods.ts';

const pod = (status: object): corev1.Pod => ({ metadata: { name: 'etcd-0' }, status }) as unknown as corev1.Pod;
const container = (state: object, more: object = {}) =>
  pod({ containerStatuses: [{ name: 'etcd', ready: false, state, ...more }] });

describe('troubleIn', () => {
  it.each([
    ['all is well', pod({ containerStatuses: [{ name: 'etcd', ready: true, state: { running: {} } }] }), undefined],
    ['it is just starting', container({ waiting: { reason: 'ContainerCreating' } }), undefined],
    [
      'it has nowhere to run',
      pod({ conditions: [{ type: 'PodScheduled', status: 'False', message: '0/1 nodes are available' }] }),
      'pod etcd-0 cannot be scheduled: 0/1 nodes are available',
    ],
    [
      'its image cannot be had',
      container({ waiting: { reason: 'ImagePullBackOff', message: 'unauthorized' } }),
      'pod etcd-0, container etcd: ImagePullBackOff, unauthorized',
    ],
    [
      'it crashes',
      container(
        { waiting: { reason: 'CrashLoopBackOff', message: 'back-off 10s' } },
        { lastState: { terminated: { exitCode: 1, message: 'no space left\nstack' } } },
      ),
      'pod etcd-0, container etcd: CrashLoopBackOff, exited with code 1: no space left',
    ],
    [
      'it crashes with a log',
      container({
        terminated: { exitCode: 1, message: '12:00 INFO starting\nTypeError: no such file\n    at open (main.js:1)\n' },
      }),
      'pod etcd-0, container etcd: exited with code 1: TypeError: no such file',
    ],
    [
      'it ended',
      container({ terminated: { exitCode: 137, reason: 'OOMKilled' } }),
      'pod etcd-0, container etcd: exited with code 137: OOMKilled',
    ],
  ])('When %s, it should say why in one line', (_, given, expected) => {
    expect(troubleIn([given])).toBe(expected);
  });
});
