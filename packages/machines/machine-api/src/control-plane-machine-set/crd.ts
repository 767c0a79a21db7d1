/** The CRD of ControlPlaneMachineSet; what is below a machine template is kept as it is and not checked. */
import type { CrdManifestObject, Schema } from '@hypershift-ts/kube-apimachinery';

const string: Schema = { type: 'string' };
const count: Schema = { type: 'integer', format: 'int32' };
const stringMap: Schema = { type: 'object', additionalProperties: string };
const anyObject: Schema = { type: 'object', 'x-kubernetes-preserve-unknown-fields': true };

const condition: Schema = {
  type: 'object',
  required: ['lastTransitionTime', 'message', 'reason', 'status', 'type'],
  properties: {
    type: { type: 'string', maxLength: 316 },
    status: { type: 'string', enum: ['True', 'False', 'Unknown'] },
    reason: { type: 'string', minLength: 1, maxLength: 1024 },
    message: { type: 'string', maxLength: 32768 },
    lastTransitionTime: { type: 'string', format: 'date-time' },
    observedGeneration: { type: 'integer', format: 'int64', minimum: 0 },
  },
};

const labelSelector: Schema = {
  type: 'object',
  'x-kubernetes-map-type': 'atomic',
  properties: {
    matchLabels: stringMap,
    matchExpressions: {
      type: 'array',
      'x-kubernetes-list-type': 'atomic',
      items: {
        type: 'object',
        required: ['key', 'operator'],
        properties: {
          key: string,
          operator: string,
          values: { type: 'array', items: string, 'x-kubernetes-list-type': 'atomic' },
        },
      },
    },
  },
};

const machineTemplate: Schema = {
  type: 'object',
  required: ['metadata', 'spec'],
  properties: {
    failureDomains: anyObject,
    metadata: {
      type: 'object',
      required: ['labels'],
      properties: { labels: stringMap, annotations: stringMap },
    },
    spec: anyObject,
  },
};

const spec: Schema = {
  type: 'object',
  required: ['replicas', 'selector', 'template'],
  properties: {
    machineNamePrefix: { type: 'string', maxLength: 245 },
    replicas: {
      ...count,
      default: 3,
      enum: [3, 4, 5],
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'replicas is immutable' }],
    },
    selector: {
      ...labelSelector,
      'x-kubernetes-validations': [{ rule: 'self == oldSelf', message: 'selector is immutable' }],
    },
    state: {
      type: 'string',
      default: 'Inactive',
      enum: ['Active', 'Inactive'],
      'x-kubernetes-validations': [
        { rule: "oldSelf != 'Active' || self == oldSelf", message: 'state cannot be changed once Active' },
      ],
    },
    strategy: {
      type: 'object',
      default: { type: 'RollingUpdate' },
      properties: {
        type: { type: 'string', default: 'RollingUpdate', enum: ['RollingUpdate', 'Recreate', 'OnDelete'] },
      },
    },
    template: {
      type: 'object',
      required: ['machineType'],
      properties: {
        machineType: { type: 'string', enum: ['machines_v1beta1_machine_openshift_io'] },
        machines_v1beta1_machine_openshift_io: machineTemplate,
      },
    },
  },
};

const status: Schema = {
  type: 'object',
  properties: {
    conditions: {
      type: 'array',
      items: condition,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['type'],
    },
    observedGeneration: { type: 'integer', format: 'int64' },
    replicas: count,
    readyReplicas: count,
    updatedReplicas: count,
    unavailableReplicas: count,
  },
};

const column = (name: string, type: string, jsonPath: string) => ({ name, type, jsonPath });

export const controlPlaneMachineSetCrd: CrdManifestObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'controlplanemachinesets.machine.openshift.io' },
  spec: {
    group: 'machine.openshift.io',
    scope: 'Namespaced',
    names: {
      plural: 'controlplanemachinesets',
      singular: 'controlplanemachineset',
      kind: 'ControlPlaneMachineSet',
      listKind: 'ControlPlaneMachineSetList',
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        additionalPrinterColumns: [
          column('Desired', 'integer', '.spec.replicas'),
          column('Current', 'integer', '.status.replicas'),
          column('Ready', 'integer', '.status.readyReplicas'),
          column('Updated', 'integer', '.status.updatedReplicas'),
          column('Unavailable', 'string', '.status.unavailableReplicas'),
          column('State', 'string', '.spec.state'),
          column('Age', 'date', '.metadata.creationTimestamp'),
        ],
        subresources: {
          status: {},
          scale: { specReplicasPath: '.spec.replicas', statusReplicasPath: '.status.replicas' },
        },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: { apiVersion: string, kind: string, metadata: { type: 'object' }, spec, status },
          },
        },
      },
    ],
  },
};
