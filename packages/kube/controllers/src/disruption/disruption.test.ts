import type { corev1, policyv1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { budgetStatus } from './disruption-controller.ts';

const now = Date.UTC(2026, 0, 1);
const aBudget = (spec: object, status: object = {}) =>
  ({ metadata: { name: 'b', generation: 2 }, spec, status }) as unknown as policyv1.PodDisruptionBudget;
const aPod = (name: string, ready = true) =>
  ({
    metadata: { name },
    spec: {},
    status: { phase: 'Running', conditions: [{ type: 'Ready', status: ready ? 'True' : 'False' }] },
  }) as unknown as corev1.Pod;

describe('budgetStatus', () => {
  it.each([
    [{ minAvailable: 2 }, 3, 3, { disruptionsAllowed: 1, desiredHealthy: 2, expectedPods: 3 }],
    [{ minAvailable: 3 }, 3, 3, { disruptionsAllowed: 0, desiredHealthy: 3 }],
    [{ minAvailable: '50%' }, 3, 5, { disruptionsAllowed: 0, desiredHealthy: 3, expectedPods: 5 }],
    [{ maxUnavailable: 1 }, 3, 3, { disruptionsAllowed: 1, desiredHealthy: 2 }],
    [{ maxUnavailable: '30%' }, 10, 10, { disruptionsAllowed: 3, desiredHealthy: 7 }],
    [{ maxUnavailable: 0 }, 3, 3, { disruptionsAllowed: 0 }],
    [{ maxUnavailable: 5 }, 0, 0, { disruptionsAllowed: 0 }],
  ])('When the budget is %j with %i healthy of %i, it should allow so many', (spec, healthy, scale, expected) => {
    const pods = Array.from({ length: healthy }, (_, i) => aPod(`p${i}`));
    expect(budgetStatus(aBudget(spec), { pods, scale, now })).toMatchObject({ ...expected, currentHealthy: healthy });
  });

  it('When an eviction was allowed and its pod is still there, it should count as gone for two minutes', () => {
    const status = { disruptedPods: { p0: '2025-12-31T23:59:00Z', p1: '2025-12-31T23:50:00Z' } };
    const result = budgetStatus(aBudget({ minAvailable: 1 }, status), {
      pods: [aPod('p0'), aPod('p1')],
      scale: 2,
      now,
    });
    expect(result).toMatchObject({
      currentHealthy: 1,
      disruptionsAllowed: 0,
      disruptedPods: { p0: '2025-12-31T23:59:00Z' },
    });
    expect(Object.keys(result.disruptedPods ?? {})).toEqual(['p0']);
  });

  it('When the size of the owners is unknown, it should allow nothing and say why', () => {
    const result = budgetStatus(aBudget({ maxUnavailable: 1 }), {
      pods: [aPod('p')],
      scale: { error: 'found no controller ref for pod "p"' },
      now,
    });
    expect(result.disruptionsAllowed).toBe(0);
    expect(result.conditions?.[0]).toMatchObject({ type: 'DisruptionAllowed', status: 'False', reason: 'SyncFailed' });
  });
});
