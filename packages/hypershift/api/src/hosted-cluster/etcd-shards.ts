/** Several etcd clusters behind one API server, split by resource. */
import { toleration } from '../common/scheduling.ts';
import { enumOf, list, object, string, stringMap } from '../schema/index.ts';

export const etcdScheduling = object(
  {
    nodeSelector: stringMap({ minProperties: 1, maxProperties: 16 })
      .optional()
      .describe('Labels a management cluster node must have to run these etcd pods.'),
    tolerations: list(toleration, { type: 'atomic', minItems: 1, maxItems: 16 })
      .optional()
      .describe('Taints of management cluster nodes these etcd pods put up with.'),
  },
  { minProperties: 1 },
).describe('Which nodes of the management cluster may run the etcd pods.');

export const etcdShardedResource = object({
  apiGroup: string({ minLength: 0, maxLength: 253 })
    .describe('API group of the resource; an empty string is the core group.')
    .rule(
      "self == '' || self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')",
      'apiGroup must be a valid DNS subdomain (lowercase alphanumeric, hyphens, dots)',
    ),
  resource: string({ minLength: 1, maxLength: 63 })
    .describe('Plural name of the resource, for example `events`.')
    .rule(
      "self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?$')",
      'resource must be a valid DNS label (lowercase alphanumeric, hyphens)',
    ),
});

export const etcdShardStorage = object({
  type: enumOf(['PersistentVolume', 'EmptyDir']).describe(
    'Kind of storage: a volume that survives the pod, or `EmptyDir`,',
    'which lives in memory and loses everything with the pod, so it suits only data one can do without.',
  ),
  persistentVolume: object(
    {
      storageClassName: string({ minLength: 1, maxLength: 253 })
        .optional()
        .describe('Storage class of the volumes; absent means the default class of the management cluster.')
        .rule("self.matches('^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$')", 'storageClassName must be a valid DNS1123 subdomain'),
    },
    { minProperties: 1 },
  )
    .optional()
    .describe('Volume settings; only with type `PersistentVolume`.'),
}).describe(
  'Where the shard keeps its data; absent means volumes like those of the main etcd. Cannot be changed,',
  'added or removed later.',
);

export const managedEtcdShard = object({
  name: string({ minLength: 1, maxLength: 48 })
    .describe('Name of the shard; part of the names of its workloads and therefore fixed.')
    .rule(
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      'name must be a valid DNS1123 label: lowercase alphanumeric with hyphens, starting and ending with an alphanumeric character',
    )
    .immutable('name is immutable'),
  replicas: enumOf([1, 3], { minimum: 1, format: 'int32' })
    .describe('Number of etcd members of the shard: one without redundancy, or three.')
    .immutable('replicas is immutable'),
  resources: list(etcdShardedResource, { type: 'map', keys: ['apiGroup', 'resource'], minItems: 1, maxItems: 20 })
    .describe(
      'Resources whose objects live in this shard instead of the main etcd; fixed,',
      'as data is never moved between shards.',
    )
    .immutable('resources are immutable'),
  scheduling: etcdScheduling.optional(),
  storage: etcdShardStorage
    .optional()
    .immutable('storage is immutable')
    .rule(
      "self.type == 'PersistentVolume' ? true : !has(self.persistentVolume)",
      'persistentVolume is forbidden when type is not PersistentVolume',
    ),
}).rule('has(oldSelf.storage) == has(self.storage)', 'storage cannot be added or removed after creation');

export const unmanagedEtcdShard = object({
  name: string({ minLength: 1, maxLength: 48 })
    .describe('Name that tells the shards apart; fixed.')
    .rule(
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      'name must be a valid DNS1123 label: lowercase alphanumeric with hyphens, starting and ending with an alphanumeric character',
    )
    .immutable('name is immutable'),
  endpoint: string({ minLength: 1, maxLength: 267 })
    .describe('HTTPS client URL of the etcd cluster that serves the shard.')
    .rule("isURL(self) && url(self).getScheme() == 'https'", 'endpoint must be a valid HTTPS URL')
    .immutable('endpoint is immutable'),
  resources: list(etcdShardedResource, { type: 'map', keys: ['apiGroup', 'resource'], minItems: 1, maxItems: 20 })
    .describe('Resources whose objects the API server keeps in this etcd instead of the main one.')
    .immutable('resources are immutable'),
});
