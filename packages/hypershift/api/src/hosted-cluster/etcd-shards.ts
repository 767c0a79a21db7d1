/** Several etcd clusters behind one API server, split by resource. */
import { toleration } from '../common/scheduling.ts';
import { enumOf, list, object, string, stringMap } from '../schema/index.ts';

export const etcdScheduling = object(
  {
    nodeSelector: stringMap({ minProperties: 1, maxProperties: 16 }).optional(),
    tolerations: list(toleration, { type: 'atomic', minItems: 1, maxItems: 16 }).optional(),
  },
  { minProperties: 1 },
);

export const etcdShardedResource = object({
  apiGroup: string({ minLength: 0, maxLength: 253 }).rule(
    "self == '' || self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?([.][a-z0-9]([a-z0-9-]*[a-z0-9])?)*$')",
    'apiGroup must be a valid DNS subdomain (lowercase alphanumeric, hyphens, dots)',
  ),
  resource: string({ minLength: 1, maxLength: 63 }).rule(
    "self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?$')",
    'resource must be a valid DNS label (lowercase alphanumeric, hyphens)',
  ),
});

export const etcdShardStorage = object({
  type: enumOf(['PersistentVolume', 'EmptyDir']),
  persistentVolume: object(
    {
      storageClassName: string({ minLength: 1, maxLength: 253 })
        .optional()
        .rule("self.matches('^[a-z0-9]([a-z0-9.-]*[a-z0-9])?$')", 'storageClassName must be a valid DNS1123 subdomain'),
    },
    { minProperties: 1 },
  ).optional(),
});

export const managedEtcdShard = object({
  name: string({ minLength: 1, maxLength: 48 })
    .rule(
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      'name must be a valid DNS1123 label: lowercase alphanumeric with hyphens, starting and ending with an alphanumeric character',
    )
    .immutable('name is immutable'),
  replicas: enumOf([1, 3], { minimum: 1, format: 'int32' }).immutable('replicas is immutable'),
  resources: list(etcdShardedResource, {
    type: 'map',
    keys: ['apiGroup', 'resource'],
    minItems: 1,
    maxItems: 20,
  }).immutable('resources are immutable'),
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
    .rule(
      "self.matches('^[a-z0-9]([-a-z0-9]*[a-z0-9])?$')",
      'name must be a valid DNS1123 label: lowercase alphanumeric with hyphens, starting and ending with an alphanumeric character',
    )
    .immutable('name is immutable'),
  endpoint: string({ minLength: 1, maxLength: 267 })
    .rule("isURL(self) && url(self).getScheme() == 'https'", 'endpoint must be a valid HTTPS URL')
    .immutable('endpoint is immutable'),
  resources: list(etcdShardedResource, {
    type: 'map',
    keys: ['apiGroup', 'resource'],
    minItems: 1,
    maxItems: 20,
  }).immutable('resources are immutable'),
});
