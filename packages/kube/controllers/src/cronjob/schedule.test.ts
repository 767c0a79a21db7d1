import type { batchv1 } from '@hypershift-ts/kube-apimachinery';
import { describe, expect, it } from 'vitest';
import { dueTimes } from './cronjob-plan.ts';
import { nextTime, parseSchedule } from './schedule.ts';

const at = (text: string) => Date.parse(text);
const next = (schedule: string, after: string, zone?: string) => {
  const time = nextTime(parseSchedule(schedule), at(after), zone);
  return time === undefined ? undefined : new Date(time).toISOString().slice(0, 16);
};

describe('nextTime', () => {
  it.each([
    ['* * * * *', '2026-01-01T00:00:00Z', '2026-01-01T00:01'],
    ['*/15 * * * *', '2026-01-01T00:15:00Z', '2026-01-01T00:30'],
    ['5,10-12 3 * * *', '2026-01-01T03:05:30Z', '2026-01-01T03:10'],
    ['0 0 1 * *', '2026-01-15T00:00:00Z', '2026-02-01T00:00'],
    ['0 0 29 2 *', '2026-01-01T00:00:00Z', '2028-02-29T00:00'],
    ['0 9 * * mon-fri', '2026-01-02T10:00:00Z', '2026-01-05T09:00'],
    ['0 0 13 * 5', '2026-01-10T00:00:00Z', '2026-01-13T00:00'],
    ['0 12 * * 7', '2026-01-01T00:00:00Z', '2026-01-04T12:00'],
    ['@hourly', '2026-01-01T00:59:59Z', '2026-01-01T01:00'],
    ['@yearly', '2026-01-01T00:00:00Z', '2027-01-01T00:00'],
  ])('When the schedule is %s, after %s it should be %s', (schedule, after, expected) => {
    expect(next(schedule, after)).toBe(expected);
  });

  it('When a zone is given, it should follow that zone through summer time', () => {
    expect(next('0 9 * * *', '2026-01-10T00:00:00Z', 'America/New_York')).toBe('2026-01-10T14:00');
    expect(next('0 9 * * *', '2026-07-10T00:00:00Z', 'America/New_York')).toBe('2026-07-10T13:00');
  });

  it('When the day never comes, it should say so instead of searching for ever', () => {
    expect(next('0 0 31 2 *', '2026-01-01T00:00:00Z')).toBeUndefined();
  });

  it.each(['', '* * * *', '60 * * * *', '* * * * mon-', '*/0 * * * *', '5-1 * * * *', '1-2-3 * * * *', 'x'])(
    'When the schedule is "%s", it should be refused',
    (text) => {
      expect(() => parseSchedule(text)).toThrow();
    },
  );
});

describe('dueTimes', () => {
  const cron = (status: object, spec: object = {}) =>
    ({
      metadata: { creationTimestamp: '2026-01-01T00:00:00Z' },
      spec: { schedule: '0 * * * *', ...spec },
      status,
    }) as unknown as batchv1.CronJob;
  const times = (job: batchv1.CronJob, now: string) => {
    const { due, next: later, tooManyMissed } = dueTimes(job, parseSchedule(job.spec.schedule), 'UTC', at(now));
    const text = (time: number | undefined) => time && new Date(time).toISOString().slice(0, 16);
    return [text(due), text(later), tooManyMissed];
  };

  it('When several times were missed, it should take the last one only', () => {
    expect(times(cron({}), '2026-01-01T03:30:00Z')).toEqual(['2026-01-01T03:00', '2026-01-01T04:00', false]);
    expect(times(cron({ lastScheduleTime: '2026-01-01T03:00:00Z' }), '2026-01-01T03:30:00Z')).toEqual([
      undefined,
      '2026-01-01T04:00',
      false,
    ]);
  });

  it('When the starting deadline has passed, it should not start late', () => {
    const job = cron({}, { startingDeadlineSeconds: 60 });
    expect(times(job, '2026-01-01T03:30:00Z')[0]).toBeUndefined();
    expect(times(job, '2026-01-01T03:00:30Z')[0]).toBe('2026-01-01T03:00');
  });

  it('When far too many were missed, it should say so and still find the last', () => {
    expect(times(cron({}), '2026-03-01T00:30:00Z')).toEqual(['2026-03-01T00:00', '2026-03-01T01:00', true]);
  });
});
