import type { UnstructuredObject } from '@hypershift-ts/kube-apimachinery';

const text = { type: 'string' };

/** The one definition that an agent needs on its cluster. */
export const appliedManifestWorkCrd: UnstructuredObject = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'appliedmanifestworks.work.open-cluster-management.io' },
  spec: {
    group: 'work.open-cluster-management.io',
    scope: 'Cluster',
    names: {
      kind: 'AppliedManifestWork',
      listKind: 'AppliedManifestWorkList',
      plural: 'appliedmanifestworks',
      singular: 'appliedmanifestwork',
    },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {} },
        schema: {
          openAPIV3Schema: {
            type: 'object',
            properties: {
              apiVersion: text,
              kind: text,
              metadata: { type: 'object' },
              spec: {
                type: 'object',
                required: ['hubHash'],
                properties: { hubHash: text, agentID: text, manifestWorkName: text },
              },
              status: {
                type: 'object',
                properties: {
                  evictionStartTime: { type: 'string', format: 'date-time' },
                  appliedResources: {
                    type: 'array',
                    items: {
                      type: 'object',
                      required: ['name', 'resource', 'version'],
                      properties: {
                        group: text,
                        resource: text,
                        version: text,
                        namespace: text,
                        name: text,
                        uid: text,
                      },
                    },
                  },
                },
              },
            },
          },
        },
      },
    ],
  },
};
