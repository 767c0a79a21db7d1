/** Names that both APIs give a meaning to. */

export const machineApiNamespace = 'openshift-machine-api';
export const clusterApiNamespace = 'openshift-cluster-api';
export const infrastructureGroup = 'infrastructure.cluster.x-k8s.io';

/** Keeps an object, on either side, until its copy is gone. */
export const syncFinalizer = 'sync.machine.openshift.io/finalizer';

export const machineApi = {
  finalizer: 'machine.machine.openshift.io',
  labels: {
    role: 'machine.openshift.io/cluster-api-machine-role',
    type: 'machine.openshift.io/cluster-api-machine-type',
    instanceType: 'machine.openshift.io/instance-type',
    region: 'machine.openshift.io/region',
    zone: 'machine.openshift.io/zone',
    /** Ties an InfraMachineTemplate to the MachineSet of the Machine API it was made for. */
    machineSet: 'machine.openshift.io/cluster-api-machineset',
  },
  annotations: {
    deleteMachine: 'machine.openshift.io/delete-machine',
    instanceState: 'machine.openshift.io/instance-state',
  },
} as const;

export const clusterApi = {
  finalizer: 'machine.cluster.x-k8s.io',
  labels: {
    clusterName: 'cluster.x-k8s.io/cluster-name',
    controlPlane: 'cluster.x-k8s.io/control-plane',
  },
  annotations: {
    deleteMachine: 'cluster.x-k8s.io/delete-machine',
    paused: 'cluster.x-k8s.io/paused',
    /** Prefixes: whatever follows names the hook. */
    preDrain: 'pre-drain.delete.hook.machine.cluster.x-k8s.io/',
    preTerminate: 'pre-terminate.delete.hook.machine.cluster.x-k8s.io/',
  },
} as const;

export const nodeRolePrefix = 'node-role.kubernetes.io/';

/** The only deletion timeout that the Machine API has, in seconds. */
export const nodeDeletionTimeoutSeconds = 10;
