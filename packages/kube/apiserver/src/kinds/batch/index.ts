import type { KindBehaviour } from '../behaviour.ts';
import { cronJob } from './cron-job.ts';
import { job } from './job.ts';

export const batchKinds: Readonly<Record<string, KindBehaviour>> = {
  'cronjobs.batch': cronJob,
  'jobs.batch': job,
};
