import type { appsv1, batchv1, corev1, UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import type { Component } from '../framework/component.ts';
import type { ControlPlaneContext } from '../framework/context.ts';
import { manifestObject } from '../framework/manifest.ts';
import { desiredWorkload } from '../framework/workload.ts';

/** Everything a component consists of, manifests first, whether or not its kinds are installed. */
export function rendered(component: Component, context: ControlPlaneContext): readonly UnstructuredObject[] {
  const wanted = component.manifests.filter(({ when }) => when?.(context) ?? true);
  return [
    ...wanted.map((manifest) => manifestObject(manifest, context, undefined)),
    desiredWorkload(component, context),
  ];
}

export function podTemplateOf(workload: UnstructuredObject): corev1.PodTemplateSpec {
  if (workload.kind === 'CronJob') return (workload as unknown as batchv1.CronJob).spec!.jobTemplate.spec!.template;
  return (workload as unknown as appsv1.Deployment).spec!.template;
}
