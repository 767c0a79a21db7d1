import type { batchv1 } from '@hypershift-ts/kube-apimachinery';
import { timeOf } from '../workload/pod-state.ts';
import type { Schedule } from './schedule.ts';
import { nextTime } from './schedule.ts';

type CronJob = batchv1.CronJob;

/** More missed times than this mean a wrong clock or a long stop: worth a warning. */
const manyMissed = 100;

export interface DueTimes {
  /** The last time that has come and not been acted on. */
  readonly due: number | undefined;
  readonly next: number | undefined;
  readonly tooManyMissed: boolean;
}

/** Which of the schedule's times are due now. */
export function dueTimes(cron: CronJob, schedule: Schedule, zone: string, now: number): DueTimes {
  const { startingDeadlineSeconds } = cron.spec;
  let from = timeOf(cron.status?.lastScheduleTime ?? cron.metadata.creationTimestamp);
  if (startingDeadlineSeconds !== undefined) from = Math.max(from, now - startingDeadlineSeconds * 1000);
  let due: number | undefined;
  let missed = 0;
  let next = nextTime(schedule, from, zone);
  while (next !== undefined && next <= now) {
    due = next;
    missed++;
    // Only the last one matters; after a long stop jump to the end instead of walking through years of minutes.
    if (missed > manyMissed) {
      const recent = nextTime(schedule, Math.max(due, now - 24 * 3_600_000), zone);
      if (recent === undefined || recent > now) return { due, next: recent, tooManyMissed: true };
      due = recent;
      for (
        next = nextTime(schedule, due, zone);
        next !== undefined && next <= now;
        next = nextTime(schedule, due, zone)
      )
        due = next;
      return { due, next, tooManyMissed: true };
    }
    next = nextTime(schedule, due, zone);
  }
  return { due, next, tooManyMissed: missed > manyMissed };
}

/** One name for each scheduled time, so that a second attempt finds the job instead of making another. */
export function jobNameFor(cron: CronJob, scheduledMs: number): string {
  return `${cron.metadata.name}-${Math.floor(scheduledMs / 60_000)}`;
}
