import type { batchv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { backOffIn, extendStreak } from './back-off.ts';
import { endingOf } from './ending.ts';
import { formatIndexes, parseIndexes } from './indexes.ts';
import { judgeFailure } from './pod-failure-policy.ts';
import { tallyPods } from './tally.ts';
import { freeIndexes, missingPods } from './wanted-pods.ts';

const now = Date.UTC(2026, 0, 1);

const aJob = (spec: object = {}, status: object = {}) =>
  ({
    apiVersion: 'batch/v1',
    kind: 'Job',
    metadata: { name: 'j', namespace: 'ns', uid: 'j' },
    spec: { template: { spec: { restartPolicy: 'Never', containers: [] } }, completions: 1, parallelism: 1, ...spec },
    status,
  }) as unknown as batchv1.Job;

const aPod = (
  name: string,
  phase: string,
  extra: { index?: number; leaving?: boolean; exitCode?: number; tracked?: boolean } = {},
) =>
  ({
    metadata: {
      name,
      namespace: 'ns',
      uid: name,
      ...(extra.tracked === false ? {} : { finalizers: ['batch.kubernetes.io/job-tracking'] }),
      ...(extra.leaving ? { deletionTimestamp: '2026-01-01T00:00:00Z' } : {}),
      annotations: extra.index === undefined ? {} : { 'batch.kubernetes.io/job-completion-index': String(extra.index) },
    },
    spec: { containers: [] },
    status: {
      phase,
      containerStatuses: [{ name: 'c', restartCount: 0, state: { terminated: { exitCode: extra.exitCode ?? 0 } } }],
    },
  }) as unknown as corev1.Pod;

describe('indexes', () => {
  it.each([
    ['', []],
    ['0', [0]],
    ['0,1', [0, 1]],
    ['0-2,5,7-9', [0, 1, 2, 5, 7, 8, 9]],
  ])('When written as "%s", it should read and write the same', (text, indexes) => {
    expect([...parseIndexes(text, 100)]).toEqual(indexes);
    expect(formatIndexes(indexes)).toBe(text);
  });

  it('When a range goes beyond the limit, it should stop there', () => {
    expect(parseIndexes('0-999999999', 3).size).toBe(3);
  });
});

describe('tallyPods', () => {
  it('When pods finish, it should count new ones and those noted down before once each', () => {
    const job = aJob(
      { completions: 5 },
      { succeeded: 1, failed: 1, uncountedTerminatedPods: { succeeded: ['b'], failed: [] } },
    );
    const tally = tallyPods(job, [
      aPod('a', 'Succeeded'),
      aPod('b', 'Succeeded'),
      aPod('c', 'Failed'),
      aPod('d', 'Running'),
    ]);
    expect(tally).toMatchObject({ succeeded: 3, failed: 2, active: 1 });
    expect(tally.fresh.succeeded.map(({ metadata }) => metadata.name)).toEqual(['a']);
  });

  it('When a pod is deleted, it should count as failed at once, or with policy Failed only at its end', () => {
    const leaving = aPod('a', 'Running', { leaving: true });
    expect(tallyPods(aJob(), [leaving]).failed).toBe(1);
    const patient = aJob({ podReplacementPolicy: 'Failed' });
    expect(tallyPods(patient, [leaving]).failed).toBe(0);
    expect(missingPods(patient, tallyPods(patient, [leaving]))).toBe(0);
    expect(missingPods(aJob(), tallyPods(aJob(), [leaving]))).toBe(1);
  });

  it('When an index is finished twice, it should count once, and the next free ones should be given out', () => {
    const job = aJob({ completionMode: 'Indexed', completions: 4, parallelism: 4 });
    const pods = [
      aPod('a', 'Succeeded', { index: 1 }),
      aPod('b', 'Succeeded', { index: 1 }),
      aPod('c', 'Running', { index: 0 }),
    ];
    const tally = tallyPods(job, pods);
    expect(tally.succeeded).toBe(1);
    expect(freeIndexes(job, tally, pods, missingPods(job, tally))).toEqual([2, 3]);
  });
});

describe('endingOf', () => {
  const counts = {
    active: 0,
    succeeded: 0,
    failed: 0,
    restarts: 0,
    completedIndexes: new Set<number>(),
    failedIndexes: new Set<number>(),
    failJob: undefined,
  };

  it.each([
    [{}, { succeeded: 1 }, {}, 'CompletionsReached'],
    [{ completions: undefined }, { succeeded: 1, active: 1 }, {}, undefined],
    [{ completions: undefined }, { succeeded: 1 }, {}, 'CompletionsReached'],
    [{ backoffLimit: 2 }, { failed: 2 }, {}, undefined],
    [{ backoffLimit: 2 }, { failed: 3 }, {}, 'BackoffLimitExceeded'],
    [{ activeDeadlineSeconds: 10 }, { active: 1 }, { startTime: '2025-12-31T23:59:49Z' }, 'DeadlineExceeded'],
    [{}, { failJob: 'x' }, {}, 'PodFailurePolicy'],
    [{ completions: 2 }, { completedIndexes: new Set([0]), failedIndexes: new Set([1]) }, {}, 'FailedIndexes'],
    [
      { completions: 3, maxFailedIndexes: 1 },
      { active: 1, failedIndexes: new Set([0, 1]) },
      {},
      'MaxFailedIndexesExceeded',
    ],
    [
      { completions: 3, successPolicy: { rules: [{ succeededIndexes: '0' }] } },
      { active: 2, succeeded: 1, completedIndexes: new Set([0]) },
      {},
      'SuccessPolicy',
    ],
  ])('When the job is %j and has %j, it should end with %j', (spec, found, status, reason) => {
    expect(endingOf(aJob(spec, status), { ...counts, ...found }, now)?.reason).toBe(reason);
  });
});

describe('judgeFailure', () => {
  const policy = {
    rules: [
      { action: 'FailJob', onExitCodes: { operator: 'In', values: [42] } },
      { action: 'Ignore', onPodConditions: [{ type: 'DisruptionTarget' }] },
    ],
  };

  it('When a rule matches, its action should hold, else the failure counts', () => {
    expect(judgeFailure(policy, aPod('a', 'Failed', { exitCode: 42 }))).toMatchObject({
      action: 'FailJob',
      message: 'Container c for pod ns/a failed with exit code 42 matching FailJob rule at index 0',
    });
    expect(judgeFailure(policy, aPod('a', 'Failed', { exitCode: 1 })).action).toBe('Count');
    const disrupted = aPod('a', 'Failed', { exitCode: 1 });
    const conditions = [{ type: 'DisruptionTarget', status: 'True' }];
    expect(judgeFailure(policy, { ...disrupted, status: { ...disrupted.status, conditions } })).toEqual({
      counts: false,
      action: 'Ignore',
    });
  });
});

describe('back-off', () => {
  it('When pods fail in a row, the pause should double, and a success should end it', () => {
    const failed = (time: string) => {
      const pod = aPod('x', 'Failed');
      return { ...pod, metadata: { ...pod.metadata, deletionTimestamp: time } };
    };
    const at = Date.parse('2026-01-01T00:00:00Z');
    const one = extendStreak(undefined, [], [failed('2026-01-01T00:00:00Z')]);
    expect(backOffIn(one, at)).toBe(10_000);
    const two = extendStreak(one, [], [failed('2026-01-01T00:00:00Z')]);
    expect(backOffIn(two, at + 5_000)).toBe(15_000);
    expect(backOffIn(extendStreak(two, [failed('2026-01-01T00:00:10Z')], []), at)).toBe(0);
  });
});
