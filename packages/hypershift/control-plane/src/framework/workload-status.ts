import type { appsv1, batchv1, Condition } from '@hypershift-ts/kube-apimachinery';
import { findCondition } from '@hypershift-ts/kube-apimachinery';
import type { WorkloadKind } from './component.ts';

/** One condition without its type: what a workload says about itself. */
export interface Verdict {
  readonly status: Condition['status'];
  readonly reason: string;
  readonly message: string;
}

export interface WorkloadVerdict {
  readonly available: Verdict;
  readonly rolledOut: Verdict;
}

const yes = (reason: string, message: string): Verdict => ({ status: 'True', reason, message });
const no = (reason: string, message: string): Verdict => ({ status: 'False', reason, message });

/** How a live workload stands. */
export function workloadVerdict(kind: WorkloadKind, live: object): WorkloadVerdict {
  switch (kind) {
    case 'Deployment':
      return deploymentVerdict(live as appsv1.Deployment);
    case 'StatefulSet':
      return statefulSetVerdict(live as appsv1.StatefulSet);
    case 'Job': {
      const verdict = jobVerdict(live as batchv1.Job);
      return { available: verdict, rolledOut: verdict };
    }
    case 'CronJob':
      return { available: yes('AsExpected', ''), rolledOut: yes('AsExpected', '') };
  }
}

function deploymentVerdict(live: appsv1.Deployment): WorkloadVerdict {
  const name = live.metadata.name ?? '';
  const condition = findCondition(live.status?.conditions as readonly Condition[] | undefined, 'Available');
  const available = !condition
    ? no('NotFound', `${name} Deployment Available condition not found`)
    : condition.status === 'True'
      ? yes('AsExpected', `Deployment ${name} is available`)
      : no('WaitingForAvailable', `Deployment ${name} is not available: ${condition.message ?? ''}`);
  const rolledOut = isDeploymentReady(live)
    ? yes('AsExpected', `Deployment ${name} successfully rolled out`)
    : no('WaitingForRolloutComplete', `Waiting for deployment ${name} ${progress(live)}`);
  return { available, rolledOut };
}

/** Whether every replica is new, ready and available, and the controller has seen the last change. */
export function isDeploymentReady({ metadata, spec, status }: appsv1.Deployment): boolean {
  const replicas = spec?.replicas ?? 1;
  return (
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    (status?.replicas ?? 0) === replicas &&
    (status?.updatedReplicas ?? 0) === replicas &&
    (status?.readyReplicas ?? 0) === replicas &&
    (status?.availableReplicas ?? 0) === replicas
  );
}

function statefulSetVerdict(live: appsv1.StatefulSet): WorkloadVerdict {
  const { metadata, spec, status } = live;
  const name = metadata.name ?? '';
  const replicas = spec?.replicas ?? 1;
  const ready = status?.readyReplicas ?? 0;
  const available =
    replicas === 0 || (status?.availableReplicas ?? 0) > 0
      ? yes('AsExpected', `StatefulSet ${name} is available`)
      : no('WaitingForAvailable', `StatefulSet ${name} is not available: ${ready}/${replicas} replicas ready`);
  const done =
    (status?.observedGeneration ?? 0) >= (metadata.generation ?? 0) &&
    (status?.updatedReplicas ?? 0) === replicas &&
    ready === replicas &&
    (status?.availableReplicas ?? 0) === replicas;
  return {
    available,
    rolledOut: done
      ? yes('AsExpected', `Statefulset ${name} successfully rolled out`)
      : no('WaitingForRolloutComplete', `Waiting for statefulset ${name} ${progress(live)}`),
  };
}

function progress({ spec, status }: appsv1.Deployment | appsv1.StatefulSet): string {
  return `rollout to finish: ${status?.updatedReplicas ?? 0} out of ${spec?.replicas ?? 1} new replicas have been updated`;
}

function jobVerdict({ status }: batchv1.Job): Verdict {
  const conditions = status?.conditions as readonly Condition[] | undefined;
  const complete = findCondition(conditions, 'Complete');
  if (complete?.status === 'True') return yes('JobComplete', complete.message || 'Job completed successfully');
  const failed = findCondition(conditions, 'Failed');
  if (failed?.status === 'True') return no(failed.reason || 'JobFailed', failed.message || 'Job failed');
  if ((status?.active ?? 0) > 0) return no('JobActive', 'Job is still running');
  return { status: 'Unknown', reason: 'Unknown', message: 'Job status is unknown' };
}
