import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { appsv1, type Condition, type KubeObject } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { fixedLookup } from '../framework/lookup.ts';
import { testControlPlane } from '../testing/context.ts';
import { cleanUpStep } from './deletion.ts';

const since = '2026-01-02T03:04:05Z';
const start = Date.parse(since);
const minute = 60_000;

function step(conditions: readonly Partial<Condition>[], objects: readonly KubeObject[] = [], now = start) {
  const hcp = testControlPlane({ status: { conditions } }) as HostedControlPlane;
  return cleanUpStep({ hcp, lookup: fixedLookup(objects), now });
}

const versionOperator = (replicas: number, running: number): KubeObject =>
  ({
    apiVersion: 'apps/v1',
    kind: appsv1.deployments.kind,
    metadata: { name: 'cluster-version-operator' },
    spec: { replicas },
    status: { replicas: running },
  }) as unknown as KubeObject;
const stopped = { type: 'CVOScaledDown', status: 'True', lastTransitionTime: since } as const;
const remaining = {
  type: 'CloudResourcesDestroyed',
  status: 'False',
  reason: 'RemainingCloudResources',
  message: 'load-balancers',
  lastTransitionTime: since,
} as const;

describe('cleanUpStep', () => {
  it.each([
    ['the version operator runs', [], [versionOperator(1, 1)], 0, { kind: 'scale-down' }],
    ['it is going down', [], [versionOperator(0, 1)], 0, { kind: 'wait' }],
    ['it is down', [], [versionOperator(0, 0)], 0, { kind: 'report', isLast: false }],
    ['it is gone', [], [], 0, { kind: 'report', isLast: false }],
    ['the hosted cluster works on it', [stopped, remaining], [], 9, { kind: 'wait' }],
    ['everything is gone', [stopped, { ...remaining, status: 'True' }], [], 0, { kind: 'done' }],
    ['cleaning was skipped', [{ ...remaining, reason: 'CloudResourcesCleanupSkipped' }], [], 0, { kind: 'done' }],
    [
      'nothing moves for long',
      [stopped, remaining],
      [],
      11,
      {
        kind: 'report',
        isLast: true,
        condition: {
          reason: 'CloudResourcesDeletionTimedOut',
          message: 'Giving up on cloud resource deletion after 11m (last status: load-balancers)',
        },
      },
    ],
  ] as const)('When %s, it should know what is next', (_, conditions, objects, minutes, expected) => {
    expect(step(conditions, objects, start + minutes * minute)).toMatchObject(expected);
  });
});
