import { annotations } from '@hypershift-ts/hypershift-api';
import type { appsv1 } from '@hypershift-ts/kube-apimachinery';
import type { Component } from '../component.ts';
import { annotationOf, type ControlPlaneContext, isHighlyAvailable } from '../context.ts';

/** Components that get three replicas when highly available, besides etcd: losing one must not halve them. */
export const apiCritical: ReadonlySet<string> = new Set([
  'kube-apiserver',
  'openshift-apiserver',
  'openshift-oauth-apiserver',
  'oauth-openshift',
  'router',
  'packageserver',
]);

export const dedicatedTopology = 'dedicated-request-serving-components';

export function isEtcd(name: string): boolean {
  return name === 'etcd' || name.startsWith('etcd-');
}

export function replicasOf(component: Component, context: ControlPlaneContext): number {
  const { name, replicas } = component;
  if (debugged(context).has(name)) return 0;
  const fixed = typeof replicas === 'function' ? replicas(context) : replicas;
  if (fixed !== undefined) return fixed;
  if (!isHighlyAvailable(context)) return 1;
  if (component.requestServing && isDedicated(context)) return 2;
  return isEtcd(name) || apiCritical.has(name) ? 3 : 2;
}

export function isDedicated(context: ControlPlaneContext): boolean {
  return annotationOf(context, annotations.topology.key) === dedicatedTopology;
}

/** Workloads somebody runs by hand elsewhere and wants stopped here. */
function debugged(context: ControlPlaneContext): ReadonlySet<string> {
  const text = annotationOf(context, annotations.debugDeployments.key) ?? '';
  return new Set(
    text
      .split(',')
      .map((name) => name.trim())
      .filter((name) => name !== ''),
  );
}

export function strategyOf(component: Component, replicas: number): appsv1.DeploymentStrategy {
  if (component.strategy === 'Recreate') return { type: 'Recreate' };
  if (replicas > 2) return { type: 'RollingUpdate', rollingUpdate: { maxSurge: 0, maxUnavailable: 1 } };
  if (replicas > 1) {
    return { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1, maxUnavailable: component.requestServing ? 1 : 0 } };
  }
  return { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } };
}
