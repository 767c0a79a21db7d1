import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { failureConditions, mergedConditions, readResult, readSettings } from './index.ts';

const now = '2026-01-10T10:00:00Z';

describe('readSettings', () => {
  it('When the environment is that of the spike, it should find everything', () => {
    const env = { RESULTS_INPUT_PATH: '/results/adapter-report.json', POLL_INTERVAL: '2', HOSTNAME: 'pod-1' };
    expect(readSettings(env, 'hyperfleet-adapters')).toEqual({
      namespace: 'hyperfleet-adapters',
      podName: 'pod-1',
      resultsPath: '/results/adapter-report.json',
      pollMs: 2000,
      maxWaitMs: 300_000,
      conditionType: 'Available',
      reportsMany: true,
    });
  });

  it('When the environment is that of upstream, it should be followed', () => {
    const env = {
      JOB_NAME: 'j',
      JOB_NAMESPACE: 'ns',
      POD_NAME: 'p',
      RESULTS_PATH: '/r.json',
      POLL_INTERVAL_SECONDS: '1',
      MAX_WAIT_TIME_SECONDS: '9',
      CONDITION_TYPE: 'Ready',
      ADAPTER_CONTAINER_NAME: 'main',
    };
    expect(readSettings(env)).toEqual({
      jobName: 'j',
      namespace: 'ns',
      podName: 'p',
      resultsPath: '/r.json',
      pollMs: 1000,
      maxWaitMs: 9000,
      conditionType: 'Ready',
      adapterContainer: 'main',
      reportsMany: false,
    });
  });

  it('When it makes no sense, it should say everything that is wrong', () => {
    const env = { RESULTS_PATH: 'r.json', POLL_INTERVAL: '500' };
    expect(() => readSettings(env)).toThrow(
      'the path of the results must be absolute, not r.json; the poll interval must be shorter than MAX_WAIT_TIME_SECONDS; JOB_NAMESPACE is not set; POD_NAME is not set',
    );
  });
});

describe('readResult', () => {
  it.each([
    [
      '{"status":"success"}',
      { type: 'Available', status: 'True', reason: 'NoReasonProvided', message: 'No message provided' },
    ],
    [
      '{"status":"failure","reason":"Quota","message":"too few"}',
      { status: 'False', reason: 'Quota', message: 'too few' },
    ],
    ['{"conditions":[{"type":"A","status":"Unknown"}]}', { type: 'A', status: 'Unknown', lastTransitionTime: now }],
  ])('When %s was written, it should be read', (text, condition) => {
    expect(readResult(text, 'Available', now)).toMatchObject({ kind: 'result', result: { conditions: [condition] } });
  });

  it.each([
    ['{"status":"succ', 'incomplete'],
    ['', 'incomplete'],
    ['[]', 'invalid'],
    ['{"status":"maybe"}', 'invalid'],
    ['{"conditions":[]}', 'invalid'],
    ['{"conditions":[{"type":"A","status":true}]}', 'invalid'],
    [' '.repeat(1024 * 1024 + 1), 'invalid'],
  ])('When the file holds something else (%#), it should be %s', (text, kind) => {
    expect(readResult(text, 'Available', now).kind).toBe(kind);
  });

  const vector = new URL('../../../../../shared/vectors/hyperfleet/spike/adapter-report.json', import.meta.url);
  it.skipIf(!existsSync(vector))('When the report of the spike is read, all its conditions should be there', () => {
    const read = readResult(readFileSync(vector, 'utf8'), 'Available', now);
    expect(read).toMatchObject({
      kind: 'result',
      result: {
        conditions: [{ type: 'Applied' }, { type: 'Available' }, { type: 'Health' }],
        data: { control_plane_endpoint: '', version: '' },
      },
    });
  });
});

describe('mergedConditions', () => {
  const complete = { type: 'Complete', status: 'True' as const, lastTransitionTime: now };
  const applied = { type: 'Applied', status: 'True' as const, lastTransitionTime: now, reason: 'R' };

  it('When Kubernetes has conditions of its own, they should stay, and nobody else should write them', () => {
    const failed = { type: 'Failed', status: 'True' as const };
    expect(mergedConditions([complete], [applied, failed])).toEqual([complete, applied]);
  });

  it('When nothing is new, there should be nothing to write', () => {
    expect(
      mergedConditions([complete, applied], [{ ...applied, lastTransitionTime: '2030-01-01T00:00:00Z' }]),
    ).toBeUndefined();
  });

  it('When a status turns, its time should be the new one', () => {
    const turned = { ...applied, status: 'False' as const, lastTransitionTime: '2030-01-01T00:00:00Z' };
    expect(mergedConditions([applied], [turned])).toEqual([turned]);
  });
});

describe('failureConditions', () => {
  it('When several conditions are expected, a failure should speak for all', () => {
    const many = failureConditions('AdapterTimeout', 'm', { conditionType: 'Available', reportsMany: true }, now);
    expect(many.map(({ type, status, reason }) => `${type}=${status} ${reason}`)).toEqual([
      'Applied=False AdapterTimeout',
      'Available=False AdapterTimeout',
      'Health=False AdapterTimeout',
    ]);
    expect(failureConditions('AdapterTimeout', 'm', { conditionType: 'X', reportsMany: false }, now)).toHaveLength(1);
  });
});
