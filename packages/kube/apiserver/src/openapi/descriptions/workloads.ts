import type { Words } from '../descriptions.ts';

const controlled: Words = { spec: 'The desired behaviour.', status: 'The observed state.' };

export const workloadDescriptions: { readonly [definition: string]: Words } = {
  'io.k8s.api.batch.v1.Job': { '': 'Runs pods until a number of them has succeeded.', ...controlled },
  'io.k8s.api.batch.v1.JobSpec': {
    activeDeadlineSeconds: 'Seconds after which the job is stopped and counted as failed.',
    backoffLimit: 'How many failures to bear before the job fails.',
    backoffLimitPerIndex: 'The same for each index of an indexed job.',
    completionMode: 'NonIndexed, or Indexed to give every pod a number.',
    completions: 'How many pods must succeed.',
    managedBy: 'The controller that runs the job, when it is not the usual one.',
    manualSelector: 'Whether selector was chosen by the user.',
    maxFailedIndexes: 'How many indexes may fail before the job fails.',
    parallelism: 'How many pods may run at once.',
    podFailurePolicy: 'What to do about particular failures.',
    podReplacementPolicy: 'When a failing pod is replaced.',
    selector: 'Labels of its pods; normally made by the server.',
    successPolicy: 'When the job counts as succeeded before all pods have.',
    suspend: 'When true, no pods run.',
    template: 'What its pods look like.',
    ttlSecondsAfterFinished: 'Seconds after which a finished job is deleted.',
  },
  'io.k8s.api.batch.v1.JobStatus': {
    active: 'Pods that run or wait to.',
    completionTime: 'When it succeeded.',
    conditions: 'Complete, Failed, Suspended and others.',
    failed: 'Pods that failed.',
    ready: 'Pods that are ready.',
    startTime: 'When it started.',
    succeeded: 'Pods that succeeded.',
  },
  'io.k8s.api.batch.v1.CronJob': { '': 'Makes jobs at the times of a schedule.', ...controlled },
  'io.k8s.api.batch.v1.CronJobSpec': {
    concurrencyPolicy: 'Whether jobs may overlap: Allow, Forbid or Replace.',
    failedJobsHistoryLimit: 'How many failed jobs to keep.',
    jobTemplate: 'What its jobs look like.',
    schedule: 'When to run, in cron format.',
    startingDeadlineSeconds: 'How late a job may still be started.',
    successfulJobsHistoryLimit: 'How many succeeded jobs to keep.',
    suspend: 'When true, no new jobs are made.',
    timeZone: 'The time zone of the schedule.',
  },
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscaler': {
    '': 'Changes the number of replicas of a workload by what it measures.',
    ...controlled,
  },
  'io.k8s.api.autoscaling.v2.HorizontalPodAutoscalerSpec': {
    behavior: 'How fast to scale up and down.',
    maxReplicas: 'Never scale above this.',
    metrics: 'What to measure, and the wanted values.',
    minReplicas: 'Never scale below this; 1 when left out.',
    scaleTargetRef: 'What to scale.',
  },
  'io.k8s.api.networking.v1.Ingress': { '': 'Routes HTTP requests from outside to services.', ...controlled },
  'io.k8s.api.networking.v1.IngressSpec': {
    defaultBackend: 'Where requests go that no rule matches.',
    ingressClassName: 'The IngressClass that should serve it.',
    rules: 'Hosts and paths, and the services behind them.',
    tls: 'Certificates for hosts.',
  },
  'io.k8s.api.networking.v1.NetworkPolicy': {
    '': 'Says which traffic the chosen pods may have.',
    spec: 'The desired behaviour.',
  },
  'io.k8s.api.networking.v1.NetworkPolicySpec': {
    egress: 'Traffic that may leave the pods.',
    ingress: 'Traffic that may reach the pods.',
    podSelector: 'The pods that the policy is about.',
    policyTypes: 'Whether it is about Ingress, Egress or both.',
  },
  'io.k8s.api.policy.v1.PodDisruptionBudget': {
    '': 'Limits how many pods may be evicted at the same time.',
    ...controlled,
  },
  'io.k8s.api.policy.v1.PodDisruptionBudgetSpec': {
    maxUnavailable: 'How many of the pods may be missing, absolute or in percent.',
    minAvailable: 'How many of the pods must stay, absolute or in percent.',
    selector: 'The pods that it protects.',
    unhealthyPodEvictionPolicy: 'Whether pods that are not healthy may always be evicted.',
  },
  'io.k8s.api.coordination.v1.Lease': {
    '': 'Says who holds something, such as leadership, and until when.',
    spec: 'Holder and times.',
  },
  'io.k8s.api.coordination.v1.LeaseSpec': {
    acquireTime: 'When the holder got it.',
    holderIdentity: 'Who holds it.',
    leaseDurationSeconds: 'How long others wait after renewTime before they take it.',
    leaseTransitions: 'How often the holder changed.',
    renewTime: 'When the holder last renewed it.',
  },
};
