import { annotations, labels } from '@hypershift-ts/hypershift-api';
import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';
import { appsv1, batchv1, type corev1, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import type { Component, WorkloadKind } from './component.ts';
import { annotationOf, type ControlPlaneContext, releaseImageOf } from './context.ts';
import { configHashOf } from './defaults/config-hash.ts';
import { podSpecOf } from './defaults/pod-spec.ts';
import { replicasOf, strategyOf } from './defaults/replicas.ts';
import { affinityOf, priorityClassOf, tolerationsOf } from './defaults/scheduling.ts';
import { injectedPod } from './inject/index.ts';
import type { PodDeclaration } from './pod.ts';

export const workloadTypes: Readonly<Record<WorkloadKind, ResourceType<KubeObject>>> = {
  Deployment: appsv1.deployments,
  StatefulSet: appsv1.statefulsets,
  Job: batchv1.jobs,
  CronJob: batchv1.cronjobs,
};

const safeToEvict = 'cluster-autoscaler.kubernetes.io/safe-to-evict-local-volumes';

/** The workload a component should have, given what the lookup says runs now; pure. */
export function desiredWorkload(component: Component, context: ControlPlaneContext): UnstructuredObject {
  return nextWorkload(component, context, context.lookup.get(workloadTypes[component.kind], component.name));
}

/** The same, given the workload that runs now. */
export function nextWorkload(
  component: Component,
  context: ControlPlaneContext,
  live: KubeObject | undefined,
): UnstructuredObject {
  const type = workloadTypes[component.kind];
  const replicas =
    component.kind === 'Deployment' || component.kind === 'StatefulSet' ? replicasOf(component, context) : 1;
  const template = podTemplate(component, context, replicas, templateOf(component.kind, live)?.spec);
  return {
    apiVersion: `${type.group}/${type.version}`,
    kind: type.kind,
    metadata: {
      name: component.name,
      namespace: context.namespace,
      labels: { [labels.managedBy.key]: 'control-plane-operator' },
    },
    spec: workloadSpec(component, context, template, replicas),
  };
}

function workloadSpec(
  component: Component,
  context: ControlPlaneContext,
  template: corev1.PodTemplateSpec,
  replicas: number,
): object {
  const selector = { matchLabels: component.selector };
  switch (component.kind) {
    case 'Deployment':
      return { replicas, revisionHistoryLimit: 2, selector, strategy: strategyOf(component, replicas), template };
    case 'StatefulSet': {
      const { serviceName, claims } = component.stateful!(context);
      return {
        replicas,
        revisionHistoryLimit: 10,
        selector,
        serviceName,
        podManagementPolicy: 'Parallel',
        persistentVolumeClaimRetentionPolicy: { whenDeleted: 'Retain', whenScaled: 'Retain' },
        updateStrategy: { type: 'RollingUpdate' },
        volumeClaimTemplates: Object.entries(claims).map(([name, { size, storageClassName }]) => ({
          metadata: { name },
          spec: {
            accessModes: ['ReadWriteOnce'],
            resources: { requests: { storage: size } },
            ...(storageClassName ? { storageClassName } : {}),
          },
        })),
        template,
      };
    }
    case 'Job':
      return { ...(component.backoffLimit === undefined ? {} : { backoffLimit: component.backoffLimit }), template };
    case 'CronJob':
      return {
        schedule: component.schedule!(context),
        concurrencyPolicy: 'Replace',
        jobTemplate: {
          spec: { ...(component.backoffLimit === undefined ? {} : { backoffLimit: component.backoffLimit }), template },
        },
      };
  }
}

function podTemplate(
  component: Component,
  context: ControlPlaneContext,
  replicas: number,
  live: corev1.PodSpec | undefined,
): corev1.PodTemplateSpec {
  const pod = injectedPod(component, context);
  const spec = podSpecOf(component.name, pod, context, live);
  const podLabels = podLabelsOf(component, context, pod);
  const emptyDirs = spec.volumes.filter(({ emptyDir }) => emptyDir !== undefined).map(({ name }) => name);
  const restartDate = annotationOf(context, annotations.restartDate.key);
  const { nodeSelector } = context.hcp.spec;
  const uid = context.settings.defaultSecurityContextUid;
  return {
    metadata: {
      labels: podLabels,
      annotations: {
        ...pod.annotations,
        [safeToEvict]: emptyDirs.join(','),
        [annotations.configHash.key]: configHashOf(spec.volumes, context.lookup),
        [annotations.releaseImage.key]: releaseImageOf(context),
        ...(restartDate ? { [annotations.restartDate.key]: restartDate } : {}),
      },
    },
    spec: {
      ...spec,
      automountServiceAccountToken: (component.managementKasAccess ?? false) || component.name === 'packageserver',
      priorityClassName: priorityClassOf(component.name, context),
      affinity: affinityOf(component, context, podLabels, replicas),
      tolerations: tolerationsOf(component, context),
      ...(nodeSelector && Object.keys(nodeSelector).length > 0 ? { nodeSelector } : {}),
      ...(!context.management.assignsUserIds && uid !== undefined
        ? { securityContext: { runAsUser: uid, fsGroup: uid } }
        : {}),
    },
  };
}

function podLabelsOf(
  component: Component,
  { hcp, namespace }: ControlPlaneContext,
  pod: PodDeclaration,
): Readonly<Record<string, string>> {
  return {
    ...hcp.spec.labels,
    ...pod.labels,
    ...component.selector,
    [labels.controlPlaneComponent.key]: component.name,
    [labels.hostedControlPlane.key]: namespace,
    ...(component.requestServing ? { [labels.requestServingComponent.key]: 'true' } : {}),
    ...(component.managementKasAccess ? { [labels.needManagementKasAccess.key]: 'true' } : {}),
  };
}

function templateOf(kind: WorkloadKind, live: KubeObject | undefined): corev1.PodTemplateSpec | undefined {
  if (!live) return undefined;
  if (kind === 'CronJob') return (live as unknown as batchv1.CronJob).spec?.jobTemplate?.spec?.template;
  return (live as unknown as appsv1.Deployment).spec?.template;
}
