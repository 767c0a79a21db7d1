import type { appsv1, corev1, LabelSelector, ResourceType } from '@hypershift-ts/kube-apimachinery';
import { appsv1 as apps, corev1 as core } from '@hypershift-ts/kube-apimachinery';
import type { WithStatus } from '../workload/status.ts';

/** The status that ReplicaSets and ReplicationControllers share. */
export type ReplicaStatus = appsv1.ReplicaSetStatus;

/** A kind that keeps a number of pods of one template: what the shared controller needs to know about it. */
export interface ReplicaKind<T extends WithStatus> {
  /** As in `kube-controller-manager --controllers`. */
  readonly controllerName: string;
  readonly type: ResourceType<T>;
  readonly replicas: (object: T) => number;
  readonly minReadySeconds: (object: T) => number;
  readonly selector: (object: T) => LabelSelector | undefined;
  readonly template: (object: T) => corev1.PodTemplateSpec | undefined;
  readonly status: (object: T) => Partial<ReplicaStatus>;
}

export const replicaSetKind: ReplicaKind<appsv1.ReplicaSet> = {
  controllerName: 'replicaset-controller',
  type: apps.replicasets,
  replicas: ({ spec }) => spec?.replicas ?? 1,
  minReadySeconds: ({ spec }) => spec?.minReadySeconds ?? 0,
  selector: ({ spec }) => spec.selector as LabelSelector,
  template: ({ spec }) => spec.template,
  status: ({ status }) => status ?? {},
};

const oldSelectors = new WeakMap<object, LabelSelector>();

/** A ReplicationController selects by a plain set of labels; an empty one selects nothing. */
function selectorFromLabels(labels: { readonly [key: string]: string } | undefined): LabelSelector | undefined {
  if (!labels || Object.keys(labels).length === 0) return undefined;
  let selector = oldSelectors.get(labels);
  if (!selector) {
    selector = { matchLabels: labels };
    oldSelectors.set(labels, selector);
  }
  return selector;
}

export const replicationControllerKind: ReplicaKind<corev1.ReplicationController> = {
  controllerName: 'replicationcontroller-controller',
  type: core.replicationcontrollers,
  replicas: ({ spec }) => spec?.replicas ?? 1,
  minReadySeconds: ({ spec }) => spec?.minReadySeconds ?? 0,
  selector: ({ spec }) => selectorFromLabels(spec?.selector),
  template: ({ spec }) => spec?.template,
  status: ({ status }) => status ?? {},
};
