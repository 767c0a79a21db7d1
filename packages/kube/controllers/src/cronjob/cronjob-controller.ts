import type { batchv1, corev1, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import {
  batchv1 as batch,
  checkTimeZone,
  errorMessage,
  formatTime,
  isAlreadyExists,
  isConditionTrue,
} from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, controllerOf, controllerReference, deleteIfPresent } from '@hypershift-ts/kube-controller';
import { isJobFinished } from '../job/job-conditions.ts';
import { isNamespaceTerminating } from '../workload/pod-control.ts';
import { olderFirst, timeOf } from '../workload/pod-state.ts';
import { writeStatus } from '../workload/status.ts';
import { dueTimes, jobNameFor } from './cronjob-plan.ts';
import type { Schedule } from './schedule.ts';
import { parseSchedule } from './schedule.ts';

type CronJob = batchv1.CronJob;
type Job = batchv1.Job;

async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
  const { cache, clock, events } = context;
  const cron = cache.get(batch.cronjobs, key);
  if (!cron || cron.metadata.deletionTimestamp) return undefined;
  const jobs = cache
    .informer(batch.jobs)
    .ownedBy(cron.metadata.uid ?? '')
    .filter((job) => controllerOf(job)?.uid === cron.metadata.uid);
  await trimHistory(cron, jobs, context);
  let status = observed(cron, jobs, context);
  const plan = planOf(cron, context);
  const now = clock.now();
  let wait: number | undefined;
  if (plan && !cron.spec.suspend) {
    const { due, next, tooManyMissed } = dueTimes(cron, plan.schedule, plan.zone, now);
    if (tooManyMissed) {
      events.warning(
        cron,
        'TooManyMissedTimes',
        'too many missed start times. Set or decrease .spec.startingDeadlineSeconds or check clock skew',
      );
    }
    if (due !== undefined) status = await start(cron, status, due, jobs, context);
    wait = next === undefined ? undefined : Math.max(1, next - now);
  }
  await writeStatus(context.client, batch.cronjobs, cron, status);
  return wait === undefined ? undefined : { requeueAfterMs: wait };
}

function planOf(cron: CronJob, { events }: ReconcileContext): { schedule: Schedule; zone: string } | undefined {
  const zone = cron.spec.timeZone ?? 'UTC';
  try {
    checkTimeZone(zone);
  } catch (error) {
    events.warning(cron, 'UnknownTimeZone', `invalid timeZone: "${zone}": ${errorMessage(error)}`);
    return undefined;
  }
  try {
    return { schedule: parseSchedule(cron.spec.schedule), zone };
  } catch (error) {
    events.warning(
      cron,
      'UnparseableSchedule',
      `unparseable schedule: "${cron.spec.schedule}" : ${errorMessage(error)}`,
    );
    return undefined;
  }
}

/** The status after looking at the jobs that are there: who is active, when one last succeeded. */
function observed(cron: CronJob, jobs: readonly Job[], { events }: ReconcileContext): batchv1.CronJobStatus {
  const active: corev1.ObjectReference[] = [];
  let lastSuccess = timeOf(cron.status?.lastSuccessfulTime);
  for (const reference of cron.status?.active ?? []) {
    const job = jobs.find(({ metadata }) => metadata.uid === reference.uid);
    if (job && !isJobFinished(job)) active.push(reference);
    else if (job) {
      const result = isConditionTrue(job.status?.conditions, 'Complete') ? 'Complete' : 'Failed';
      events.normal(cron, 'SawCompletedJob', `Saw completed job: ${job.metadata.name}, condition: ${result}`);
    } else events.normal(cron, 'MissingJob', `Active job went missing: ${reference.name}`);
  }
  for (const { status } of jobs) {
    if (isConditionTrue(status?.conditions, 'Complete'))
      lastSuccess = Math.max(lastSuccess, timeOf(status?.completionTime));
  }
  const { active: _active, ...rest } = cron.status ?? {};
  return {
    ...rest,
    ...(active.length > 0 ? { active } : {}),
    ...(lastSuccess > 0 ? { lastSuccessfulTime: formatTime(lastSuccess) } : {}),
  };
}

/** Starts the job of a due time, as the concurrency policy allows. */
async function start(
  cron: CronJob,
  status: batchv1.CronJobStatus,
  due: number,
  jobs: readonly Job[],
  context: ReconcileContext,
): Promise<batchv1.CronJobStatus> {
  const { client, events } = context;
  const policy = cron.spec.concurrencyPolicy ?? 'Allow';
  let active = status.active ?? [];
  const name = jobNameFor(cron, due);
  if (active.some((reference) => reference.name === name)) return status;
  if (policy === 'Forbid' && active.length > 0) {
    events.normal(
      cron,
      'JobAlreadyActive',
      'Not starting job because prior execution is running and concurrency policy is Forbid',
    );
    return status;
  }
  if (policy === 'Replace') {
    for (const reference of active) {
      const job = jobs.find(({ metadata }) => metadata.uid === reference.uid);
      if (job) await removeJob(cron, job, context);
    }
    active = [];
  }
  const lastScheduleTime = formatTime(due);
  try {
    const job = await client.create(batch.jobs, jobFor(cron, name, due));
    events.normal(cron, 'SuccessfulCreate', `Created job ${name}`);
    const { uid = '', resourceVersion = '', namespace = '' } = job.metadata;
    const reference = { apiVersion: 'batch/v1', kind: 'Job', namespace, name, uid, resourceVersion };
    return { ...status, active: [...active, reference], lastScheduleTime };
  } catch (error) {
    if (isAlreadyExists(error)) return { ...status, lastScheduleTime };
    if (isNamespaceTerminating(error)) return status;
    events.warning(cron, 'FailedCreate', `Error creating job: ${errorMessage(error)}`);
    throw error;
  }
}

function jobFor(cron: CronJob, name: string, due: number) {
  const { metadata, spec } = cron.spec.jobTemplate;
  return {
    metadata: {
      name,
      namespace: cron.metadata.namespace ?? '',
      ...(metadata?.labels ? { labels: metadata.labels } : {}),
      annotations: { ...metadata?.annotations, 'batch.kubernetes.io/cronjob-scheduled-timestamp': formatTime(due) },
      ownerReferences: [controllerReference(batch.cronjobs, cron)],
    },
    spec: spec as batchv1.JobSpec,
  };
}

async function trimHistory(cron: CronJob, jobs: readonly Job[], context: ReconcileContext): Promise<void> {
  const keep = async (list: readonly Job[], limit: number) => {
    for (const job of [...list].sort(olderFirst).slice(0, Math.max(0, list.length - limit)))
      await removeJob(cron, job, context);
  };
  const finished = jobs.filter((job) => isJobFinished(job) && !job.metadata.deletionTimestamp);
  await keep(
    finished.filter(({ status }) => isConditionTrue(status?.conditions, 'Complete')),
    cron.spec.successfulJobsHistoryLimit ?? 3,
  );
  await keep(
    finished.filter(({ status }) => isConditionTrue(status?.conditions, 'Failed')),
    cron.spec.failedJobsHistoryLimit ?? 1,
  );
}

async function removeJob(cron: CronJob, job: Job, { client, events }: ReconcileContext): Promise<void> {
  const { namespace = '', name = '' } = job.metadata;
  await deleteIfPresent(client, batch.jobs, { namespace, name }, { propagationPolicy: 'Background', live: job });
  events.normal(cron, 'SuccessfulDelete', `Deleted job ${name}`);
}

/** Starts jobs on a schedule. */
export const cronJobController = controller<CronJob>({
  name: 'cronjob-controller',
  for: batch.cronjobs,
  owns: [batch.jobs],
  concurrency: 5,
  reconcile,
});
