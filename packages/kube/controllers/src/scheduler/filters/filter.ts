import type { corev1 } from '@hypershift-ts/kube-apimachinery';
import type { NodeState } from '../node-state.ts';

/** What kind of change could help a pod that a filter turned away. */
export type Cause = 'node' | 'resources' | 'ports' | 'pods' | 'volumes';

/** Why a pod does not fit a node, in Kubernetes' words. */
export interface Refusal {
  readonly reasons: readonly string[];
  readonly cause: Cause;
  /** Whether the node could take the pod if others left it. */
  readonly preemptible: boolean;
}

/** Judges one pod against any number of nodes; made anew for every attempt. */
export type Filter = (state: NodeState) => Refusal | undefined;

/** What filters read besides the node. */
export interface Surroundings {
  readonly nodes: Iterable<NodeState>;
  /** Placed pods that refuse to have certain others near them. */
  readonly repelling: Iterable<{ readonly state: NodeState; readonly pod: corev1.Pod }>;
  /** Labels of a namespace, for namespace selectors. */
  namespaceLabels(namespace: string): { readonly [key: string]: string } | undefined;
  claim(namespace: string, name: string): corev1.PersistentVolumeClaim | undefined;
  volume(name: string): corev1.PersistentVolume | undefined;
  storageClass(name: string): { readonly volumeBindingMode?: string } | undefined;
}
