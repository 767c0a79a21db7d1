import type { Schema } from '../../schema-types.ts';
import { objectMetaSchema } from '../object-meta-schema.ts';

/** A workload with one of everything server-side apply distinguishes. */
const container: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    image: { type: 'string' },
    args: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'atomic' },
    env: {
      type: 'array',
      items: { type: 'object', properties: { name: { type: 'string' }, value: { type: 'string' } } },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
    },
    ports: {
      type: 'array',
      items: {
        type: 'object',
        properties: {
          containerPort: { type: 'integer' },
          protocol: { type: 'string', default: 'TCP' },
          name: { type: 'string' },
        },
      },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['containerPort', 'protocol'],
    },
    resources: {
      type: 'object',
      properties: {
        limits: {
          type: 'object',
          additionalProperties: {
            anyOf: [{ type: 'integer' }, { type: 'string' }],
            'x-kubernetes-int-or-string': true,
          },
        },
      },
    },
  },
};

const podSpec: Schema = {
  type: 'object',
  properties: {
    containers: {
      type: 'array',
      items: container,
      'x-kubernetes-patch-merge-key': 'name',
      'x-kubernetes-patch-strategy': 'merge',
    },
    nodeSelector: { type: 'object', additionalProperties: { type: 'string' }, 'x-kubernetes-map-type': 'atomic' },
    serviceAccountName: { type: 'string' },
  },
};

export const workloadSchema: Schema = {
  type: 'object',
  properties: {
    apiVersion: { type: 'string' },
    kind: { type: 'string' },
    metadata: { allOf: [objectMetaSchema], default: {} },
    spec: {
      allOf: [
        {
          type: 'object',
          properties: {
            replicas: { type: 'integer' },
            paused: { type: 'boolean' },
            selector: {
              type: 'object',
              properties: { matchLabels: { type: 'object', additionalProperties: { type: 'string' } } },
              'x-kubernetes-map-type': 'atomic',
            },
            strategy: {
              type: 'object',
              properties: { type: { type: 'string' }, maxSurge: { 'x-kubernetes-int-or-string': true } },
            },
            template: { type: 'object', properties: { metadata: objectMetaSchema, spec: podSpec } },
            free: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true },
            tags: { type: 'array', items: { type: 'string' }, 'x-kubernetes-list-type': 'set' },
          },
        },
      ],
      default: {},
    },
    status: {
      type: 'object',
      properties: {
        replicas: { type: 'integer' },
        conditions: {
          type: 'array',
          items: {
            type: 'object',
            properties: { type: { type: 'string' }, status: { type: 'string' }, message: { type: 'string' } },
          },
          'x-kubernetes-list-type': 'map',
          'x-kubernetes-list-map-keys': ['type'],
        },
      },
    },
  },
};

export function aWorkload(spec: object, rest: object = {}): Record<string, unknown> {
  return { apiVersion: 'apps/v1', kind: 'Workload', metadata: { name: 'web', namespace: 'n' }, spec, ...rest };
}
