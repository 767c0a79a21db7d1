import {
  type ControlPlaneComponent,
  controlPlaneComponents,
  type HostedControlPlane,
  hostedControlPlanes,
} from '@hypershift-ts/hypershift-api';
import { appsv1, jsonEqual, type KubeObject, type ResourceType } from '@hypershift-ts/kube-apimachinery';
import { workloadVerdict } from '../framework/workload-status.ts';

type Type = ResourceType<KubeObject>;

const workloads: ReadonlySet<Type> = new Set<Type>([appsv1.deployments, appsv1.statefulsets]);

/**
 * Whether a change brings the control plane on: something that others did, a component that others wait for, a workload
 * that got its replicas. All else changes words only, and what this operator wrote by itself it knows already.
 */
export function isUrgent(type: Type, object: KubeObject, previous: KubeObject | undefined, isOwn: boolean): boolean {
  if (!previous || (!isOwn && previous.metadata.generation !== object.metadata.generation)) return !isOwn;
  if (type === (controlPlaneComponents as Type)) return !jsonEqual(standing(object), standing(previous));
  if (type === (hostedControlPlanes as Type) && isOwn) return !jsonEqual(fields(object), fields(previous));
  return workloads.has(type) ? !jsonEqual(fare(object), fare(previous)) : !isOwn;
}

/** What others that depend on a component wait for. */
function standing(component: KubeObject) {
  const { status } = component as ControlPlaneComponent;
  return [status?.version, status?.conditions?.map(({ type, status: is }) => [type, is])];
}

/** What steps read of the status of a control plane. */
function fields(hcp: KubeObject) {
  return { ...(hcp as HostedControlPlane).status, conditions: undefined };
}

/** How far a workload has got. */
function fare(workload: KubeObject) {
  const { available, rolledOut } = workloadVerdict(workload.kind as 'Deployment' | 'StatefulSet', workload);
  const { readyReplicas = 0 } = (workload as appsv1.Deployment).status ?? {};
  return [available.status, rolledOut.status, readyReplicas];
}
