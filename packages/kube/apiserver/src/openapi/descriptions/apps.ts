import type { Words } from '../descriptions.ts';

const controlled: Words = { spec: 'The desired behaviour.', status: 'The observed state.' };
const podsOf: Words = {
  minReadySeconds: 'Seconds a new pod must be ready before it counts as available.',
  replicas: 'How many pods to run; 1 when left out.',
  revisionHistoryLimit: 'How many old revisions to keep for a rollback.',
  selector: 'Labels of the pods it manages; must match those of the template. Cannot change.',
  template: 'What its pods look like.',
};
const counts: Words = {
  availableReplicas: 'Pods ready for at least minReadySeconds.',
  collisionCount: 'How often a generated name was already taken.',
  conditions: 'Observed aspects of its state.',
  observedGeneration: 'The generation that the status describes.',
  readyReplicas: 'Pods that are ready.',
  replicas: 'Pods that exist.',
  updatedReplicas: 'Pods made from the current template.',
};
const ofPods = (fields: readonly string[], words: Words): Words =>
  Object.fromEntries(fields.map((field) => [field, words[field] ?? '']));

export const appsDescriptions: { readonly [definition: string]: Words } = {
  'io.k8s.api.apps.v1.Deployment': {
    '': 'Keeps a number of equal pods running and replaces them gradually when the template changes.',
    ...controlled,
  },
  'io.k8s.api.apps.v1.DeploymentSpec': {
    ...podsOf,
    paused: 'When true, changes of the template are not rolled out.',
    progressDeadlineSeconds: 'Seconds without progress after which a rollout counts as failed.',
    strategy: 'How old pods are replaced by new ones.',
  },
  'io.k8s.api.apps.v1.DeploymentStrategy': {
    rollingUpdate: 'Settings for RollingUpdate.',
    type: 'RollingUpdate, or Recreate to stop all old pods first.',
  },
  'io.k8s.api.apps.v1.RollingUpdateDeployment': {
    maxSurge: 'How many pods may exist above the wanted number, absolute or in percent.',
    maxUnavailable: 'How many pods may be missing during the update, absolute or in percent.',
  },
  'io.k8s.api.apps.v1.DeploymentStatus': {
    ...counts,
    terminatingReplicas: 'Pods that are going away.',
    unavailableReplicas: 'Pods still missing for full availability.',
  },
  'io.k8s.api.apps.v1.ReplicaSet': {
    '': 'Keeps a number of equal pods running; usually made by a Deployment.',
    ...controlled,
  },
  'io.k8s.api.apps.v1.ReplicaSetSpec': ofPods(['minReadySeconds', 'replicas', 'selector', 'template'], podsOf),
  'io.k8s.api.apps.v1.ReplicaSetStatus': {
    ...ofPods(['availableReplicas', 'conditions', 'observedGeneration', 'readyReplicas', 'replicas'], counts),
    fullyLabeledReplicas: 'Pods that have all labels of the template.',
    terminatingReplicas: 'Pods that are going away.',
  },
  'io.k8s.api.apps.v1.StatefulSet': {
    '': 'Runs pods with stable names and storage, one by one in order.',
    ...controlled,
  },
  'io.k8s.api.apps.v1.StatefulSetSpec': {
    ...podsOf,
    ordinals: 'With which number the pods start.',
    persistentVolumeClaimRetentionPolicy: 'What happens to claims when pods or the set go away.',
    podManagementPolicy: 'OrderedReady, or Parallel to start and stop pods all at once.',
    serviceName: 'The headless service that gives the pods their DNS names.',
    updateStrategy: 'How pods are replaced when the template changes.',
    volumeClaimTemplates: 'Claims that every pod gets for itself.',
  },
  'io.k8s.api.apps.v1.StatefulSetStatus': {
    ...counts,
    currentReplicas: 'Pods made from currentRevision.',
    currentRevision: 'The revision that pods are being updated from.',
    updateRevision: 'The revision that pods are being updated to.',
  },
  'io.k8s.api.apps.v1.StatefulSetUpdateStrategy': {
    rollingUpdate: 'Settings for RollingUpdate.',
    type: 'RollingUpdate, or OnDelete to wait until somebody deletes a pod.',
  },
  'io.k8s.api.apps.v1.DaemonSet': { '': 'Runs one pod on every matching node.', ...controlled },
  'io.k8s.api.apps.v1.DaemonSetSpec': {
    ...ofPods(['minReadySeconds', 'revisionHistoryLimit', 'selector', 'template'], podsOf),
    updateStrategy: 'How pods are replaced when the template changes.',
  },
  'io.k8s.api.apps.v1.DaemonSetUpdateStrategy': {
    rollingUpdate: 'Settings for RollingUpdate.',
    type: 'RollingUpdate, or OnDelete to wait until somebody deletes a pod.',
  },
  'io.k8s.api.apps.v1.DaemonSetStatus': {
    ...ofPods(['collisionCount', 'conditions', 'observedGeneration'], counts),
    currentNumberScheduled: 'Nodes that run the pod and should.',
    desiredNumberScheduled: 'Nodes that should run the pod.',
    numberAvailable: 'Nodes where the pod has been ready for at least minReadySeconds.',
    numberMisscheduled: 'Nodes that run the pod and should not.',
    numberReady: 'Nodes where the pod is ready.',
    numberUnavailable: 'Nodes where the pod is missing or not available.',
    updatedNumberScheduled: 'Nodes that run a pod made from the current template.',
  },
};
