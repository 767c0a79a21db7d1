import type { batchv1, corev1, KubeObject, LabelSelector, ObjectKey } from '@hypershift-ts/kube-apimachinery';
import {
  batchv1 as batch,
  corev1 as core,
  formatTime,
  isConditionTrue,
  isConflict,
  isInvalid,
  isNotFound,
} from '@hypershift-ts/kube-apimachinery';
import type { ReconcileContext, ReconcileResult } from '@hypershift-ts/kube-controller';
import { controller, controllerOf, ownersOfType, removeFinalizer } from '@hypershift-ts/kube-controller';
import { claim } from '../workload/claim.ts';
import { podsToDelete } from '../workload/deletion-order.ts';
import { Expectations } from '../workload/expectations.ts';
import { perCluster } from '../workload/per-cluster.ts';
import type { PodWrites } from '../workload/pod-control.ts';
import { createPod, deletePod, isNamespaceTerminating } from '../workload/pod-control.ts';
import { timeOf } from '../workload/pod-state.ts';
import { selectorFor } from '../workload/selectors.ts';
import { slowStart } from '../workload/slow-start.ts';
import { writeStatus } from '../workload/status.ts';
import type { FailureStreak } from './back-off.ts';
import { backOffIn, extendStreak } from './back-off.ts';
import { endingOf } from './ending.ts';
import type { Ending } from './job-conditions.ts';
import { decidedEnding, isJobFinished, withJobCondition } from './job-conditions.ts';
import { indexFailures, indexOf, isIndexed, isTracked, podForJob, trackingFinalizer } from './job-pods.ts';
import { countedStatus, tidy, visibleCounts, withUncounted } from './job-status.ts';
import type { Tally } from './tally.ts';
import { tallyPods } from './tally.ts';
import { freeIndexes, missingPods } from './wanted-pods.ts';

type Job = batchv1.Job;
type Pod = corev1.Pod;

const memory = perCluster(() => ({ expectations: new Expectations(), streaks: new Map<string, FailureStreak>() }));
const fallbackMs = 5_000;
const burst = 500;
const ownController = 'kubernetes.io/job-controller';

async function reconcile(key: ObjectKey, context: ReconcileContext): Promise<ReconcileResult> {
  const { cache, client, clock } = context;
  const { expectations, streaks } = memory(cache);
  const id = `${key.namespace}/${key.name}`;
  const job = cache.get(batch.jobs, key);
  if (!job) {
    expectations.forget(id);
    streaks.delete(id);
    await releaseOrphans(key, context);
    return undefined;
  }
  if (job.spec.managedBy !== undefined && job.spec.managedBy !== ownController) return undefined;
  const informer = cache.informer(core.pods);
  if (!expectations.satisfied(id, informer)) return { requeueAfterMs: fallbackMs };
  const selector = selectorFor(job.spec.selector as LabelSelector | undefined);
  const pods = await claim(client, { type: batch.jobs, object: job }, { type: core.pods, informer }, selector);
  if (isJobFinished(job) || job.metadata.deletionTimestamp) {
    streaks.delete(id);
    for (const pod of pods) await untrack(pod, context);
    return undefined;
  }
  const now = clock.now();
  const tally = tallyPods(job, pods);
  if (tally.fresh.failed.length + tally.fresh.succeeded.length > 0) {
    streaks.set(id, extendStreak(streaks.get(id), tally.fresh.succeeded, tally.fresh.failed));
  }
  const writes: PodWrites = { key: id, owner: job, expectations, context };
  const ending = decidedEnding(job.status?.conditions) ?? endingOf(job, tally, now);
  const wait = await manage(job, pods, tally, ending, backOffIn(streaks.get(id), now), writes);
  await track(job, pods, tally, ending, context);
  return soonest(wait, deadlineIn(job, now));
}

/** Creates and deletes pods; answers how long to wait before it may create the rest. */
async function manage(
  job: Job,
  pods: readonly Pod[],
  tally: Tally,
  ending: Ending | undefined,
  backOff: number,
  writes: PodWrites,
): Promise<number | undefined> {
  if (ending || job.spec.suspend) {
    await Promise.all(tally.activePods.map((pod) => deletePod(writes, pod)));
    return undefined;
  }
  const missing = missingPods(job, tally);
  if (missing < 0) {
    await Promise.all(podsToDelete(tally.activePods, tally.activePods, -missing).map((pod) => deletePod(writes, pod)));
    return undefined;
  }
  if (missing === 0) return undefined;
  if (backOff > 0) return backOff;
  const count = Math.min(missing, burst);
  const indexes = freeIndexes(job, tally, pods, count);
  const { error } = await slowStart(isIndexed(job) ? indexes.length : count, async (i) => {
    const index = indexes[i];
    await createPod(writes, podForJob(job, index, index === undefined ? 0 : failuresOfIndex(pods, index)));
  });
  if (error !== undefined && !isNamespaceTerminating(error)) throw error;
  return undefined;
}

function failuresOfIndex(pods: readonly Pod[], index: number): number {
  const failed = pods.filter((pod) => indexOf(pod) === index && pod.status?.phase === 'Failed');
  return Math.max(0, ...failed.map((pod) => indexFailures(pod) + 1));
}

/** Counts finished pods exactly once, even when interrupted, and tells how the job stands. */
async function track(
  job: Job,
  pods: readonly Pod[],
  tally: Tally,
  ending: Ending | undefined,
  context: ReconcileContext,
) {
  const { client, clock } = context;
  let status: batchv1.JobStatus = { ...job.status, ...visibleCounts(job, tally) };
  if (!job.spec.suspend && !status.startTime) status = { ...status, startTime: formatTime(clock.now()) };
  status = suspension(job, status, context);
  if (ending) status = { ...status, conditions: announce(status, ending, clock.now()) };
  let live = job;
  const { succeeded, failed, ignored } = tally.fresh;
  const uncounted = status.uncountedTerminatedPods ?? {};
  const pending = (uncounted.succeeded?.length ?? 0) + (uncounted.failed?.length ?? 0);
  if (succeeded.length + failed.length + pending > 0) {
    status = withUncounted(status, tally);
    live = await writeStatus(client, batch.jobs, live, tidy(status));
    const noted = new Set([
      ...(status.uncountedTerminatedPods?.succeeded ?? []),
      ...(status.uncountedTerminatedPods?.failed ?? []),
    ]);
    await Promise.all(pods.filter(({ metadata }) => noted.has(metadata.uid ?? '')).map((pod) => untrack(pod, context)));
    status = countedStatus(job, status, tally);
  }
  await Promise.all(ignored.map((pod) => untrack(pod, context)));
  if (ending && tally.active === 0 && tally.terminating === 0) status = conclude(job, status, ending, context);
  status = { ...status, uncountedTerminatedPods: status.uncountedTerminatedPods ?? {} };
  await writeStatus(client, batch.jobs, live, tidy(status));
}

/** What is going to happen is said before it is done, so that observers of either never disagree. */
function announce(status: batchv1.JobStatus, { success, reason, message }: Ending, now: number) {
  const type = success ? 'SuccessCriteriaMet' : 'FailureTarget';
  return withJobCondition(status.conditions ?? [], { type, status: 'True', reason, message }, now);
}

function conclude(
  job: Job,
  status: batchv1.JobStatus,
  { success, reason, message }: Ending,
  context: ReconcileContext,
) {
  const { clock, events } = context;
  const type = success ? 'Complete' : 'Failed';
  if (success) events.normal(job, 'Completed', 'Job completed');
  else events.warning(job, reason, message);
  return {
    ...status,
    ...(success ? { completionTime: formatTime(clock.now()) } : {}),
    conditions: withJobCondition(status.conditions ?? [], { type, status: 'True', reason, message }, clock.now()),
  };
}

function suspension(job: Job, status: batchv1.JobStatus, { clock, events }: ReconcileContext): batchv1.JobStatus {
  const now = clock.now();
  const suspended = isConditionTrue(status.conditions, 'Suspended');
  const condition = (value: string, reason: string, message: string) =>
    withJobCondition(status.conditions ?? [], { type: 'Suspended', status: value, reason, message }, now);
  if (job.spec.suspend) {
    const { startTime: _started, ...rest } = status;
    if (!suspended) events.normal(job, 'Suspended', 'Job suspended');
    return { ...rest, conditions: condition('True', 'JobSuspended', 'Job suspended') };
  }
  if (!suspended) return status;
  events.normal(job, 'Resumed', 'Job resumed');
  // The deadline counts from the resumption.
  return { ...status, startTime: formatTime(now), conditions: condition('False', 'JobResumed', 'Job resumed') };
}

async function untrack(pod: Pod, { client, cache }: ReconcileContext): Promise<void> {
  if (!isTracked(pod)) return;
  try {
    await removeFinalizer(client, core.pods, pod, trackingFinalizer);
  } catch (error) {
    if (isNotFound(error) || isInvalid(error)) return;
    if (!isConflict(error)) throw error;
    const { namespace = '', name = '' } = pod.metadata;
    const live = cache.informer(core.pods).get({ namespace, name });
    // The status is newer than ours: the next reconcile takes the finalizer off.
    if (live && live.metadata.resourceVersion !== pod.metadata.resourceVersion) {
      await removeFinalizer(client, core.pods, live, trackingFinalizer);
    } else throw error;
  }
}

/** Pods of a job that is gone would otherwise wait for it for ever. */
async function releaseOrphans(key: ObjectKey, context: ReconcileContext): Promise<void> {
  for (const pod of context.cache.list(core.pods, key.namespace)) {
    const owner = controllerOf(pod);
    if (isTracked(pod) && (!owner || (owner.kind === 'Job' && owner.name === key.name))) await untrack(pod, context);
  }
}

function deadlineIn({ spec, status }: Job, now: number): number | undefined {
  if (spec.activeDeadlineSeconds === undefined || spec.suspend) return undefined;
  const started = status?.startTime ? timeOf(status.startTime) : now;
  return Math.max(1, started + spec.activeDeadlineSeconds * 1000 - now);
}

function soonest(...waits: readonly (number | undefined)[]): ReconcileResult {
  const known = waits.filter((wait) => wait !== undefined);
  return known.length > 0 ? { requeueAfterMs: Math.min(...known) } : undefined;
}

function keysOf(pod: KubeObject): readonly ObjectKey[] {
  return ownersOfType(pod, batch.jobs);
}

/** Runs pods to completion and counts them. */
export const jobController = controller<Job, [Pod]>({
  name: 'job-controller',
  for: batch.jobs,
  watches: [{ type: core.pods, map: keysOf }],
  concurrency: 5,
  reconcile,
});
