import { describe, expect, it } from 'vitest';
import { aTemplate, cellsOf, created, faults, updateFaults } from '../testing/objects.ts';
import { cronJob } from './cron-job.ts';
import { scheduleFault } from './cron-schedule.ts';
import { job } from './job.ts';

const metadata = { uid: 'b8a5c9d2', name: 'pi' };
const aJob = (fields: object = {}) => ({
  metadata,
  spec: { template: aTemplate({ restartPolicy: 'Never' }), ...fields },
});

describe('jobs', () => {
  it('When a job is created, it should select its pods by its own uid', () => {
    const object = created(job, aJob());
    expect(object['spec']).toMatchObject({
      backoffLimit: 6,
      completions: 1,
      parallelism: 1,
      completionMode: 'NonIndexed',
      manualSelector: false,
      podReplacementPolicy: 'TerminatingOrFailed',
      suspend: false,
      selector: { matchLabels: { 'batch.kubernetes.io/controller-uid': 'b8a5c9d2' } },
      template: {
        metadata: {
          labels: {
            app: 'web',
            'job-name': 'pi',
            'controller-uid': 'b8a5c9d2',
            'batch.kubernetes.io/job-name': 'pi',
            'batch.kubernetes.io/controller-uid': 'b8a5c9d2',
          },
        },
      },
    });
    expect(faults(job, aJob())).toEqual([]);
  });

  it('When pods would restart forever, it should name the two policies that fit', () => {
    expect(faults(job, { metadata, spec: { template: aTemplate() } })).toEqual([
      'spec.template.spec.restartPolicy: Required value: valid values: "OnFailure", "Never"',
    ]);
  });

  it('When the template of a job changes, it should be immutable', () => {
    const before = created(job, aJob());
    const spec = structuredClone(before['spec']) as { template: { spec: { containers: { image: string }[] } } };
    const container = spec.template.spec.containers[0];
    if (container) container.image = 'other:1';
    const messages = updateFaults(job, aJob(), { metadata, spec });
    expect(messages).toHaveLength(1);
    expect(messages[0]).toMatch(/^spec\.template: Invalid value: .*: field is immutable$/);
  });

  it.each([
    [{}, { startTime: '2026-06-01T11:58:00Z' }, ['Running', '0/1', '2m']],
    [
      { completions: 3 },
      {
        succeeded: 3,
        startTime: '2026-06-01T11:50:00Z',
        completionTime: '2026-06-01T11:51:00Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
      ['Complete', '3/3', '60s'],
    ],
    [{ parallelism: 2 }, { conditions: [{ type: 'Suspended', status: 'True' }] }, ['Suspended', '0/1 of 2', '']],
  ])('When a job is in a state, it should show it (%#)', (spec, status, expected) => {
    expect(cellsOf(job, { spec, status }).slice(1, 4)).toEqual(expected);
  });
});

describe('cron jobs', () => {
  it.each(['*/5 * * * *', '0 3 * * mon-fri', '@daily', '@every 1h30m', '0,30 9-17/2 1 jan *'])(
    'When the schedule is "%s", it should accept it',
    (schedule) => {
      expect(scheduleFault(schedule)).toBeUndefined();
    },
  );

  it.each([
    ['* * * *', 'expected exactly 5 fields, found 4: [* * * *]'],
    ['61 * * * *', 'end of range (61) above maximum (59): 61'],
    ['a * * * *', 'failed to parse int from a: strconv.Atoi: parsing "a": invalid syntax'],
    ['@often', 'unrecognized descriptor: @often'],
    ['5-1 * * * *', 'beginning of range (5) beyond end of range (1): 5-1'],
    ['*/0 * * * *', 'step of range should be a positive number: */0'],
  ])('When the schedule is "%s", it should say why not', (schedule, fault) => {
    expect(scheduleFault(schedule)).toBe(fault);
  });

  it('When time zone and schedule are wrong, it should report both', () => {
    const jobTemplate = { spec: { template: aTemplate({ restartPolicy: 'OnFailure' }) } };
    expect(faults(cronJob, { spec: { schedule: 'TZ=UTC 0 0 * * *', timeZone: 'Mars/Olympus', jobTemplate } })).toEqual([
      'spec.schedule: Invalid value: "TZ=UTC 0 0 * * *": cannot use TZ or CRON_TZ in schedule, use timeZone field instead',
      'spec.timeZone: Invalid value: "Mars/Olympus": unknown time zone Mars/Olympus',
    ]);
    expect(faults(cronJob, { spec: { schedule: '@hourly', timeZone: 'Europe/Berlin', jobTemplate } })).toEqual([]);
  });
});
