import { describe, expect, it } from 'vitest';
import { cellsOf } from '../../testing/objects.ts';
import { pod } from './index.ts';

const spec = { containers: [{ name: 'a' }, { name: 'b' }], nodeName: 'n1' };
const running = (name: string) => ({ name, ready: true, state: { running: {} }, restartCount: 0 });

function row(fields: object): string {
  return cellsOf(pod, fields).slice(1, 4).join(' | ');
}

describe('kubectl get pods', () => {
  it.each([
    [
      'all containers run',
      { spec, status: { phase: 'Running', containerStatuses: [running('a'), running('b')] } },
      '2/2 | Running | 0',
    ],
    ['nothing is known yet', { spec, status: { phase: 'Pending' } }, '0/2 | Pending | 0'],
    [
      'a container crashes',
      {
        spec,
        status: {
          phase: 'Running',
          containerStatuses: [
            running('a'),
            {
              name: 'b',
              restartCount: 3,
              state: { waiting: { reason: 'CrashLoopBackOff' } },
              lastState: { terminated: { exitCode: 1, finishedAt: '2026-06-01T11:55:00Z' } },
            },
          ],
        },
      },
      '1/2 | CrashLoopBackOff | 3 (5m ago)',
    ],
    [
      'it has finished',
      {
        spec,
        status: {
          phase: 'Succeeded',
          containerStatuses: ['a', 'b'].map((name) => ({
            name,
            restartCount: 0,
            state: { terminated: { exitCode: 0, reason: 'Completed' } },
          })),
        },
      },
      '0/2 | Completed | 0',
    ],
    [
      'one container has finished and the other runs',
      {
        spec,
        status: {
          phase: 'Running',
          containerStatuses: [
            running('a'),
            { name: 'b', restartCount: 0, state: { terminated: { exitCode: 0, reason: 'Completed' } } },
          ],
        },
      },
      '1/2 | NotReady | 0',
    ],
    [
      'a container failed without a reason',
      {
        spec,
        status: {
          phase: 'Failed',
          containerStatuses: [{ name: 'a', restartCount: 0, state: { terminated: { exitCode: 3 } } }],
        },
      },
      '0/2 | ExitCode:3 | 0',
    ],
    [
      'the second of two init containers runs',
      {
        spec: { ...spec, initContainers: [{ name: 'i1' }, { name: 'i2' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            { name: 'i1', restartCount: 0, state: { terminated: { exitCode: 0 } } },
            { name: 'i2', restartCount: 0, state: { running: {} } },
          ],
        },
      },
      '0/2 | Init:1/2 | 0',
    ],
    [
      'an init container fails',
      {
        spec: { ...spec, initContainers: [{ name: 'i1' }] },
        status: {
          phase: 'Pending',
          initContainerStatuses: [
            { name: 'i1', restartCount: 2, state: { terminated: { exitCode: 1, reason: 'Error' } } },
          ],
        },
      },
      '0/2 | Init:Error | 2',
    ],
    [
      'a sidecar has started',
      {
        spec: { ...spec, initContainers: [{ name: 's', restartPolicy: 'Always' }] },
        status: {
          phase: 'Running',
          initContainerStatuses: [{ ...running('s'), started: true }],
          containerStatuses: [running('a'), running('b')],
        },
      },
      '3/3 | Running | 0',
    ],
    [
      'it is being deleted',
      { metadata: { deletionTimestamp: '2026-06-01T11:59:00Z' }, spec, status: { phase: 'Running' } },
      '0/2 | Terminating | 0',
    ],
    [
      'its node is lost',
      {
        metadata: { deletionTimestamp: '2026-06-01T11:59:00Z' },
        spec,
        status: { phase: 'Running', reason: 'NodeLost' },
      },
      '0/2 | Unknown | 0',
    ],
    [
      'scheduling gates hold it',
      {
        spec,
        status: {
          phase: 'Pending',
          conditions: [{ type: 'PodScheduled', status: 'False', reason: 'SchedulingGated' }],
        },
      },
      '0/2 | SchedulingGated | 0',
    ],
    ['it was evicted', { spec, status: { phase: 'Failed', reason: 'Evicted' } }, '0/2 | Evicted | 0'],
  ])('When %s, it should show what kubectl users expect', (_case, object, expected) => {
    expect(row(object)).toBe(expected);
  });

  it('When wide columns are asked for, it should show address, node and gates', () => {
    const cells = cellsOf(pod, {
      spec: { ...spec, readinessGates: [{ conditionType: 'x.io/a' }, { conditionType: 'x.io/b' }] },
      status: { phase: 'Running', podIPs: [{ ip: '10.0.0.4' }], conditions: [{ type: 'x.io/b', status: 'True' }] },
    });
    expect(cells.slice(4)).toEqual(['10m', '10.0.0.4', 'n1', '<none>', '1/2']);
  });
});
