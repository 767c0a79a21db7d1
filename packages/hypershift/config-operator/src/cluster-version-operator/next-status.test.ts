import type { openshift } from '@hypershift-ts/hypershift-api';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { nextClusterVersionStatus } from './next-status.ts';
import { operatorStates } from './operator-states.ts';

const now = Date.UTC(2026, 0, 1);
const target = { version: '4.20.3', image: 'registry/release:4.20.3' };
const live = (status?: object) =>
  ({
    metadata: { name: 'version', generation: 4 },
    spec: { clusterID: 'x' },
    status,
  }) as unknown as openshift.ClusterVersion;
const operator = (name: string, version: string, conditions: Record<string, string> = { Available: 'True' }) =>
  ({
    metadata: { name },
    status: {
      versions: [{ name: 'operator', version }],
      conditions: Object.entries(conditions).map(([type, status]) => ({ type, status, message: `${type} of ${name}` })),
    },
  }) as unknown as openshift.ClusterOperator;
const statesOf = (...operators: readonly openshift.ClusterOperator[]) =>
  operatorStates(operators, ['kube-apiserver'], target.version);

describe('nextClusterVersionStatus', () => {
  it('When the awaited operator has not reported, it should begin a Partial entry and name whom it waits for', () => {
    const status = nextClusterVersionStatus(live(), target, statesOf(), now);
    expect(status.history).toEqual([
      { ...target, state: 'Partial', startedTime: '2026-01-01T00:00:00Z', completionTime: null, verified: false },
    ]);
    expect(findCondition(status.conditions, 'Progressing')).toMatchObject({
      status: 'True',
      message: 'Working towards 4.20.3: 0 of 1 done (0% complete), waiting on kube-apiserver',
    });
    expect(findCondition(status.conditions, 'Available')?.status).toBe('False');
  });

  it('When it reports an older version, it should still wait', () => {
    expect(statesOf(operator('kube-apiserver', '4.20.2')).waiting).toEqual(['kube-apiserver']);
  });

  it('When everything reports the version, it should complete once and then change nothing', () => {
    const states = statesOf(operator('kube-apiserver', target.version));
    const first = nextClusterVersionStatus(live(), target, states, now);
    expect(first.history?.[0]).toMatchObject({ state: 'Completed', completionTime: '2026-01-01T00:00:00Z' });
    expect(nextClusterVersionStatus(live(first), target, states, now + 60_000)).toEqual(first);
  });

  it('When another release is asked for before the end, it should close the entry and put the new one first', () => {
    const first = nextClusterVersionStatus(live(), target, statesOf(), now);
    const other = { version: '4.20.4', image: 'registry/release:4.20.4' };
    const next = nextClusterVersionStatus(live(first), other, statesOf(), now + 1000);
    expect(next.history).toMatchObject([
      { ...other, state: 'Partial', completionTime: null },
      { ...target, state: 'Partial', completionTime: '2026-01-01T00:00:01Z' },
    ]);
  });

  it('When an operator forbids minor upgrades, it should say so, and take it back afterwards', () => {
    const stubborn = operator('storage', target.version, { Available: 'True', Upgradeable: 'False' });
    const status = nextClusterVersionStatus(live(), target, statesOf(stubborn), now);
    expect(findCondition(status.conditions, 'Upgradeable')?.message).toContain('storage');
    const later = nextClusterVersionStatus(live(status), target, statesOf(), now);
    expect(findCondition(later.conditions, 'Upgradeable')).toBeUndefined();
  });
});
