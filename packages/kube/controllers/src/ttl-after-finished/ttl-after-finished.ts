import { batchv1 as batch, isNotFound } from '@hypershift-ts/kube-apimachinery';
import type { batchv1 } from '@hypershift-ts/kube-apimachinery';
import { controller } from '@hypershift-ts/kube-controller';
import { isJobFinished } from '../job/job-conditions.ts';
import { timeOf } from '../workload/pod-state.ts';

type Job = batchv1.Job;

/** When a finished job's time is over, or undefined when it has none. */
function expiresAt(job: Job): number | undefined {
  const { ttlSecondsAfterFinished } = job.spec;
  if (ttlSecondsAfterFinished === undefined || !isJobFinished(job)) return undefined;
  const finished = job.status?.conditions?.find(
    ({ type, status }) => (type === 'Complete' || type === 'Failed') && status === 'True',
  );
  return timeOf(finished?.lastTransitionTime) + ttlSecondsAfterFinished * 1000;
}

/** Deletes finished jobs, with their pods, when their time is over. */
export const ttlAfterFinishedController = controller<Job>({
  name: 'ttl-after-finished-controller',
  for: {
    type: batch.jobs,
    predicate: {
      created: (job: Job) => expiresAt(job) !== undefined,
      updated: (_before: Job, job: Job) => expiresAt(job) !== undefined,
      deleted: () => false,
    },
  },
  concurrency: 2,
  async reconcile(key, { cache, client, clock }) {
    const job = cache.get(batch.jobs, key);
    const expires = job && !job.metadata.deletionTimestamp ? expiresAt(job) : undefined;
    if (!job || expires === undefined) return undefined;
    const wait = expires - clock.now();
    if (wait > 0) return { requeueAfterMs: wait };
    const { uid, resourceVersion } = job.metadata;
    const preconditions = { ...(uid ? { uid } : {}), ...(resourceVersion ? { resourceVersion } : {}) };
    try {
      await client.delete(batch.jobs, key, { propagationPolicy: 'Foreground', preconditions });
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
    return undefined;
  },
});
