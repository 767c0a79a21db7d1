/** What our webhooks answer. They are optional: without them the controllers report the same things as conditions. */
import { type DefaultSources, defaultHostedCluster, defaultNodePool } from '../defaulting/index.ts';
import { type HostedCluster, hostedClusters } from '../hosted-cluster/index.ts';
import { type NodePool, nodePools } from '../node-pool/index.ts';
import {
  hostedClusterUpdateWarnings,
  hostedClusterWarnings,
  nodePoolWarnings,
  validateHostedCluster,
  validateHostedClusterUpdate,
  validateKubeVirtPatch,
  validateNodePool,
} from '../validation/index.ts';
import { formatFieldError } from '@hypershift-ts/kube-apimachinery';
import { type AdmissionRequest, type AdmissionResponse, allow, allowWithSpec, deny } from './review.ts';

/** What a webhook needs beside the request. */
export interface WebhookContext extends DefaultSources {
  readonly hostedCluster: (namespace: string, name: string) => Promise<HostedCluster | undefined>;
}

export interface Webhook {
  readonly path: string;
  readonly type: 'mutating' | 'validating';
  readonly resource: string;
  readonly operations: readonly ('CREATE' | 'UPDATE')[];
  readonly review: (request: AdmissionRequest, context: WebhookContext) => Promise<AdmissionResponse>;
}

const pathOf = (verb: 'mutate' | 'validate', kind: string): string =>
  `/${verb}-hypershift-openshift-io-v1beta1-${kind}`;

/** Errors the CRD accepts are told, not refused: the object may come from a tool made for upstream. */
const told = (errors: readonly Parameters<typeof formatFieldError>[0][]): readonly string[] =>
  errors.map(formatFieldError);

export const webhooks: readonly Webhook[] = [
  {
    path: pathOf('mutate', 'hostedcluster'),
    type: 'mutating',
    resource: hostedClusters.resource,
    operations: ['CREATE'],
    review: async (request, context) => {
      const cluster = request.object as HostedCluster;
      return allowWithSpec(request, cluster.spec, defaultHostedCluster(cluster, context).spec);
    },
  },
  {
    path: pathOf('mutate', 'nodepool'),
    type: 'mutating',
    resource: nodePools.resource,
    operations: ['CREATE'],
    review: async (request, context) => {
      const pool = request.object as NodePool;
      const name = pool.spec?.clusterName;
      const needed = pool.spec && !pool.spec.release?.image && name;
      const cluster = needed ? await context.hostedCluster(pool.metadata.namespace ?? '', name) : undefined;
      const { pool: complete, errors } = defaultNodePool(pool, cluster);
      return errors.length > 0 ? deny(request, errors) : allowWithSpec(request, pool.spec, complete.spec);
    },
  },
  {
    path: pathOf('validate', 'hostedcluster'),
    type: 'validating',
    resource: hostedClusters.resource,
    operations: ['CREATE', 'UPDATE'],
    review: async (request) => {
      const cluster = request.object as HostedCluster;
      const previous = (request.oldObject ?? undefined) as HostedCluster | undefined;
      const refused = [
        ...(cluster.spec ? validateKubeVirtPatch(cluster) : []),
        ...(previous ? validateHostedClusterUpdate(cluster, previous) : []),
      ];
      if (refused.length > 0) return deny(request, refused);
      return allow(request, [
        ...told(validateHostedCluster(cluster)),
        ...hostedClusterWarnings(cluster),
        ...(previous ? hostedClusterUpdateWarnings(cluster, previous) : []),
      ]);
    },
  },
  {
    path: pathOf('validate', 'nodepool'),
    type: 'validating',
    resource: nodePools.resource,
    operations: ['CREATE', 'UPDATE'],
    review: async (request) => {
      const pool = request.object as NodePool;
      const refused = pool.spec ? validateKubeVirtPatch(pool) : [];
      if (refused.length > 0) return deny(request, refused);
      return allow(request, [...told(validateNodePool(pool)), ...nodePoolWarnings(pool)]);
    },
  },
];
