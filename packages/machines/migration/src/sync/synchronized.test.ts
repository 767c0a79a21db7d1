import type { mapiv1beta1 } from '@hypershift-ts/machines-machine-api';
import { describe, expect, it } from 'vitest';
import { mergedConditions } from './merged-conditions.ts';
import { synchronizedStatus } from './synchronized.ts';

const before = '2026-01-01T00:00:00Z';
const now = '2026-02-03T04:05:06Z';

const machine: mapiv1beta1.Machine = {
  apiVersion: 'machine.openshift.io/v1beta1',
  kind: 'Machine',
  metadata: { name: 'm', namespace: 'openshift-machine-api', resourceVersion: '5', uid: '1' },
  spec: {},
  status: {
    synchronizedGeneration: 4,
    synchronizedAPI: 'MachineAPI',
    conditions: [{ type: 'Synchronized', status: 'True', lastTransitionTime: before }],
  },
};

describe('synchronizedStatus', () => {
  it('When both copies agree, it should say of which generation and since when', () => {
    const applied = synchronizedStatus(machine, { kind: 'synchronized', source: 'ClusterAPI', generation: 7 }, now);
    expect(applied.metadata).toEqual({ name: 'm', namespace: 'openshift-machine-api', resourceVersion: '5' });
    expect(applied.status).toEqual({
      synchronizedGeneration: 7,
      synchronizedAPI: 'ClusterAPI',
      conditions: [
        {
          type: 'Synchronized',
          status: 'True',
          reason: 'ResourceSynchronized',
          message: 'Successfully synchronized CAPI Machine to MAPI',
          lastTransitionTime: before,
        },
      ],
    });
  });

  it('When it failed, it should keep what was known and say why', () => {
    const outcome = { kind: 'failed', reason: 'FailedToUpdateCAPIMachine', message: 'refused' } as const;
    expect(synchronizedStatus(machine, outcome, now).status).toMatchObject({
      synchronizedGeneration: 4,
      synchronizedAPI: 'MachineAPI',
      conditions: [
        { status: 'False', severity: 'Error', reason: 'FailedToUpdateCAPIMachine', lastTransitionTime: now },
      ],
    });
  });

  it('When the InfraMachine is made anew, it should say that it is under way', () => {
    expect(synchronizedStatus(machine, { kind: 'replacing-infra-machine' }, now).status).toMatchObject({
      conditions: [{ status: 'Unknown', severity: 'Info', reason: 'ProgressingToCreateCAPIInfraMachine' }],
    });
  });
});

describe('mergedConditions', () => {
  const condition = (type: string, reason: string, lastTransitionTime: string) => ({
    type,
    status: 'True',
    reason,
    lastTransitionTime,
  });

  it('When some are said again, some anew and some not at all, it should keep times and strangers', () => {
    const existing = [
      condition('Ready', 'A', before),
      condition('Available', 'A', before),
      condition('Paused', 'P', before),
    ];
    const converted = [
      condition('Ready', 'A', now),
      condition('Available', 'B', now),
      condition('NodeReady', 'N', now),
    ];
    expect(mergedConditions(existing, converted)).toEqual([
      condition('Ready', 'A', before),
      condition('Available', 'B', now),
      condition('Paused', 'P', before),
      condition('NodeReady', 'N', now),
    ]);
  });
});
