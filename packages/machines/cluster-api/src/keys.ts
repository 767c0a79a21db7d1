import type { KubeObject } from '@hypershift-ts/kube-apimachinery';

/** The labels, annotations and finalizers that Cluster API gives a meaning to. */

export const finalizers = {
  cluster: 'cluster.cluster.x-k8s.io',
  machineDeployment: 'cluster.x-k8s.io/machinedeployment',
  machineSet: 'cluster.x-k8s.io/machineset',
  machine: 'machine.cluster.x-k8s.io',
} as const;

export const labels = {
  clusterName: 'cluster.x-k8s.io/cluster-name',
  setName: 'cluster.x-k8s.io/set-name',
  deploymentName: 'cluster.x-k8s.io/deployment-name',
  controlPlane: 'cluster.x-k8s.io/control-plane',
  interruptible: 'cluster.x-k8s.io/interruptible',
  templateHash: 'machine-template-hash',
  /** On pods: `skip` or `wait-completed`. */
  drain: 'cluster.x-k8s.io/drain',
} as const;

export const annotations = {
  paused: 'cluster.x-k8s.io/paused',
  deleteMachine: 'cluster.x-k8s.io/delete-machine',
  skipRemediation: 'cluster.x-k8s.io/skip-remediation',
  remediateMachine: 'cluster.x-k8s.io/remediate-machine',
  disableMachineCreate: 'cluster.x-k8s.io/disable-machine-create',
  clonedFromName: 'cluster.x-k8s.io/cloned-from-name',
  clonedFromGroupKind: 'cluster.x-k8s.io/cloned-from-groupkind',
  excludeNodeDraining: 'machine.cluster.x-k8s.io/exclude-node-draining',
  excludeVolumeDetach: 'machine.cluster.x-k8s.io/exclude-wait-for-node-volume-detach',
  /** Prefixes: whatever follows names the hook. */
  preDrainHook: 'pre-drain.delete.hook.machine.cluster.x-k8s.io',
  preTerminateHook: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io',
  /** The group of these four is spelled in the plural upstream. */
  revision: 'machinedeployment.clusters.x-k8s.io/revision',
  revisionHistory: 'machinedeployment.clusters.x-k8s.io/revision-history',
  desiredReplicas: 'machinedeployment.clusters.x-k8s.io/desired-replicas',
  maxReplicas: 'machinedeployment.clusters.x-k8s.io/max-replicas',
} as const;

/** What a Node carries about its Machine. */
export const nodeAnnotations = {
  clusterName: 'cluster.x-k8s.io/cluster-name',
  clusterNamespace: 'cluster.x-k8s.io/cluster-namespace',
  machine: 'cluster.x-k8s.io/machine',
  ownerKind: 'cluster.x-k8s.io/owner-kind',
  ownerName: 'cluster.x-k8s.io/owner-name',
  labelsFromMachine: 'cluster.x-k8s.io/labels-from-machine',
  /** No annotation of a Machine reaches its Node unless the manager is told of one; the list says so. */
  annotationsFromMachine: 'cluster.x-k8s.io/annotations-from-machine',
} as const;

/** Put on a node by its bootstrap until its Machine has been found. */
export const uninitializedTaint = 'node.cluster.x-k8s.io/uninitialized';

/** On nodes whose Machine a newer revision replaces: pods that have a choice should not go there any more. */
export const outdatedTaint = { key: 'node.cluster.x-k8s.io/outdated-revision', effect: 'PreferNoSchedule' } as const;

export function hasAnnotation({ metadata }: KubeObject, name: string): boolean {
  return metadata.annotations !== undefined && Object.hasOwn(metadata.annotations, name);
}
