import type { batchv1, corev1 } from '@hypershift-ts/kube-apimachinery';
import { batchv1 as batch } from '@hypershift-ts/kube-apimachinery';
import type { NewObject } from '@hypershift-ts/kube-client';
import { podFromTemplate } from '../workload/pod-template.ts';

type Job = batchv1.Job;
type Pod = corev1.Pod;

export const trackingFinalizer = 'batch.kubernetes.io/job-tracking';
const indexAnnotation = 'batch.kubernetes.io/job-completion-index';
const indexFailuresAnnotation = 'batch.kubernetes.io/job-index-failure-count';

export const isIndexed = ({ spec }: Job): boolean => spec.completionMode === 'Indexed';
export const isTracked = ({ metadata }: Pod): boolean => metadata.finalizers?.includes(trackingFinalizer) ?? false;

export function indexOf(pod: Pod): number | undefined {
  const text = pod.metadata.annotations?.[indexAnnotation];
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined;
}

export function indexFailures(pod: Pod): number {
  return Number(pod.metadata.annotations?.[indexFailuresAnnotation] ?? 0) || 0;
}

/** A pod of the job, for one index where the job counts by index. */
export function podForJob(job: Job, index: number | undefined, failures = 0): NewObject<Pod> {
  const pod = podFromTemplate(batch.jobs, job, job.spec.template);
  const finalizers = [...(pod.metadata.finalizers ?? []), trackingFinalizer];
  if (index === undefined) return { ...pod, metadata: { ...pod.metadata, finalizers } };
  const name = `${job.metadata.name}-${index}`;
  const perIndex = job.spec.backoffLimitPerIndex !== undefined;
  return {
    ...pod,
    metadata: {
      ...pod.metadata,
      finalizers,
      generateName: `${name}-`,
      labels: { ...pod.metadata.labels, [indexAnnotation]: String(index) },
      annotations: {
        ...pod.metadata.annotations,
        [indexAnnotation]: String(index),
        ...(perIndex ? { [indexFailuresAnnotation]: String(failures) } : {}),
      },
    },
    spec: {
      ...pod.spec,
      hostname: pod.spec.hostname ?? name,
      containers: pod.spec.containers.map(withIndex),
      ...(pod.spec.initContainers ? { initContainers: pod.spec.initContainers.map(withIndex) } : {}),
    },
  };
}

function withIndex(container: corev1.Container): corev1.Container {
  const name = 'JOB_COMPLETION_INDEX';
  if (container.env?.some((variable) => variable.name === name)) return container;
  const fieldPath = `metadata.labels['${indexAnnotation}']`;
  return { ...container, env: [...(container.env ?? []), { name, valueFrom: { fieldRef: { fieldPath } } }] };
}
