import type { Schema } from '../schema-types.ts';

const text: Schema = { type: 'string' };
const time: Schema = { type: 'string', format: 'date-time' };
const wholeNumber: Schema = { type: 'integer', format: 'int64' };
const textMap: Schema = { type: 'object', additionalProperties: text };

const ownerReference: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    blockOwnerDeletion: { type: 'boolean' },
    controller: { type: 'boolean' },
    kind: text,
    name: text,
    uid: text,
  },
  required: ['apiVersion', 'kind', 'name', 'uid'],
  'x-kubernetes-map-type': 'atomic',
};

const managedFieldsEntry: Schema = {
  type: 'object',
  properties: {
    apiVersion: text,
    fieldsType: text,
    fieldsV1: { type: 'object' },
    manager: text,
    operation: text,
    subresource: text,
    time,
  },
};

/** metav1.ObjectMeta; custom resources leave their metadata undescribed and mean this. */
export const objectMetaSchema: Schema = {
  type: 'object',
  properties: {
    annotations: textMap,
    creationTimestamp: time,
    deletionGracePeriodSeconds: wholeNumber,
    deletionTimestamp: time,
    finalizers: {
      type: 'array',
      items: text,
      'x-kubernetes-list-type': 'set',
      'x-kubernetes-patch-strategy': 'merge',
    },
    generateName: text,
    generation: wholeNumber,
    labels: textMap,
    managedFields: { type: 'array', items: managedFieldsEntry, 'x-kubernetes-list-type': 'atomic' },
    name: text,
    namespace: text,
    ownerReferences: {
      type: 'array',
      items: ownerReference,
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['uid'],
      'x-kubernetes-patch-merge-key': 'uid',
      'x-kubernetes-patch-strategy': 'merge',
    },
    resourceVersion: text,
    selfLink: text,
    uid: text,
  },
};
