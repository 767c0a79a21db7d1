import { annotations, labels } from '@hypershift-ts/hypershift-api';
import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { Component } from '../component.ts';
import { annotationOf, type ControlPlaneContext } from '../context.ts';
import { apiCritical, isDedicated, isEtcd } from './replicas.ts';

const hostname = 'kubernetes.io/hostname';
const zone = 'topology.kubernetes.io/zone';

/** Platforms whose management clusters often have one zone only; there zones are wished for, not required. */
const zonesOptional: ReadonlySet<string> = new Set(['KubeVirt', 'OpenStack']);

export function priorityClassOf(name: string, context: ControlPlaneContext): string {
  if (isEtcd(name)) return annotationOf(context, annotations.etcdPriorityClass.key) ?? 'hypershift-etcd';
  if (apiCritical.has(name)) {
    return annotationOf(context, annotations.apiCriticalPriorityClass.key) ?? 'hypershift-api-critical';
  }
  return annotationOf(context, annotations.controlPlanePriorityClass.key) ?? 'hypershift-control-plane';
}

export function tolerationsOf(component: Component, context: ControlPlaneContext): readonly corev1.Toleration[] {
  const reserved: corev1.Toleration[] = [
    toleration(labels.controlPlane.key, 'true'),
    toleration(labels.cluster.key, context.namespace),
    ...(component.requestServing && isDedicated(context)
      ? [toleration(labels.requestServingComponent.key, 'true')]
      : []),
  ];
  return [...reserved, ...((context.hcp.spec.tolerations ?? []) as readonly corev1.Toleration[])];
}

function toleration(key: string, value: string): corev1.Toleration {
  return { key, operator: 'Equal', value, effect: 'NoSchedule' };
}

export function affinityOf(
  component: Component,
  context: ControlPlaneContext,
  podLabels: Readonly<Record<string, string>>,
  replicas: number,
): corev1.Affinity {
  const { namespace } = context;
  const wished: corev1.PreferredSchedulingTerm[] = [
    { weight: 50, preference: { matchExpressions: [inValue(labels.controlPlane.key, 'true')] } },
    { weight: 100, preference: { matchExpressions: [inValue(labels.cluster.key, namespace)] } },
  ];
  const dedicated = component.requestServing && isDedicated(context);
  return {
    nodeAffinity: dedicated
      ? {
          requiredDuringSchedulingIgnoredDuringExecution: {
            nodeSelectorTerms: [
              {
                matchExpressions: [
                  inValue(labels.requestServingComponent.key, 'true'),
                  inValue(labels.cluster.key, namespace),
                ],
              },
            ],
          },
        }
      : { preferredDuringSchedulingIgnoredDuringExecution: wished },
    podAffinity: {
      preferredDuringSchedulingIgnoredDuringExecution: [
        {
          weight: 100,
          podAffinityTerm: {
            labelSelector: { matchLabels: { [labels.hostedControlPlane.key]: namespace } },
            topologyKey: hostname,
          },
        },
      ],
    },
    ...(component.zones && replicas > 1 ? { podAntiAffinity: spread(context, podLabels) } : {}),
  };
}

function spread({ hcp }: ControlPlaneContext, podLabels: Readonly<Record<string, string>>): corev1.PodAntiAffinity {
  const term = (topologyKey: string): corev1.PodAffinityTerm => ({
    labelSelector: { matchLabels: podLabels },
    topologyKey,
  });
  if (zonesOptional.has(hcp.spec.platform.type)) {
    return {
      preferredDuringSchedulingIgnoredDuringExecution: [{ weight: 100, podAffinityTerm: term(zone) }],
      requiredDuringSchedulingIgnoredDuringExecution: [term(hostname)],
    };
  }
  return { requiredDuringSchedulingIgnoredDuringExecution: [term(zone), term(hostname)] };
}

function inValue(key: string, value: string): corev1.NodeSelectorRequirement {
  return { key, operator: 'In', values: [value] };
}
