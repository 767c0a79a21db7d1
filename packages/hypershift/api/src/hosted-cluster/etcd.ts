/** Where the state of the hosted cluster is kept. */
import { localObjectReference } from '../common/references.ts';
import { enumOf, list, object, quantity, string } from '../schema/index.ts';
import { awsBackupKey, azureBackupKey } from './etcd-encryption-keys.ts';
import { etcdScheduling, managedEtcdShard, unmanagedEtcdShard } from './etcd-shards.ts';

export const etcdPersistentVolume = object({
  size: quantity().optional().default('8Gi').immutable('Etcd PV storage size is immutable'),
  storageClassName: string({ maxLength: 255 }).optional().immutable('storageClassName is immutable'),
});

export const etcdStorage = object({
  type: enumOf(['PersistentVolume']),
  persistentVolume: etcdPersistentVolume.optional(),
  restoreSnapshotURL: list(string({ maxLength: 1024 }), { type: 'set', maxItems: 1 })
    .optional()
    .rule('self.size() <= 1', "RestoreSnapshotURL shouldn't contain more than 1 entry")
    .immutable('restoreSnapshotURL is immutable')
    .rule(
      "self.size() == 0 || self[0].matches('^(https|s3)://.*')",
      'restoreSnapshotURL must be a valid URL with scheme https or s3',
    ),
}).rule(
  'has(self.restoreSnapshotURL) == has(oldSelf.restoreSnapshotURL)',
  'restoreSnapshotURL cannot be added or removed after creation',
);

export const etcdBackup = object({
  platform: enumOf(['AWS', 'Azure']),
  aws: awsBackupKey.optional(),
  azure: azureBackupKey.optional(),
})
  .rule(
    "self.platform == 'AWS' ? has(self.aws) : !has(self.aws)",
    'aws configuration is required when platform is AWS, and forbidden otherwise',
  )
  .rule(
    "self.platform == 'Azure' ? has(self.azure) : !has(self.azure)",
    'azure configuration is required when platform is Azure, and forbidden otherwise',
  );

export const managedEtcd = object({
  storage: etcdStorage,
  backup: etcdBackup.optional().gate('HCPEtcdBackup'),
  scheduling: etcdScheduling.optional().gate('EtcdSharding'),
  shards: list(managedEtcdShard, { type: 'map', keys: ['name'], minItems: 1, maxItems: 10 })
    .optional()
    .gate('EtcdSharding')
    .rule(
      'self.all(s1, self.all(s2, s1.name == s2.name || !s1.resources.exists(r, s2.resources.exists(q, r.apiGroup == q.apiGroup && r.resource == q.resource))))',
      'resources must not overlap across shards',
    )
    .rule('self.size() == oldSelf.size()', 'shards cannot be added or removed after creation')
    .rule('oldSelf.all(old, self.exists(cur, cur.name == old.name))', 'existing shards cannot be replaced'),
}).rule('has(oldSelf.shards) == has(self.shards)', 'shards cannot be added or removed after creation', {
  gate: 'EtcdSharding',
});

export const unmanagedEtcd = object({
  endpoint: string({ maxLength: 255, pattern: '^https://' }),
  tls: object({
    clientSecret: localObjectReference,
  }),
  shards: list(unmanagedEtcdShard, { type: 'map', keys: ['name'], minItems: 1, maxItems: 10 })
    .optional()
    .gate('EtcdSharding')
    .rule(
      'self.all(s1, self.all(s2, s1.name == s2.name || !s1.resources.exists(r, s2.resources.exists(q, r.apiGroup == q.apiGroup && r.resource == q.resource))))',
      'resources must not overlap across shards',
    )
    .rule('self.size() == oldSelf.size()', 'shards cannot be added or removed after creation')
    .rule('oldSelf.all(old, self.exists(cur, cur.name == old.name))', 'existing shards cannot be replaced'),
}).rule('has(oldSelf.shards) == has(self.shards)', 'shards cannot be added or removed after creation', {
  gate: 'EtcdSharding',
});

export const etcd = object({
  managementType: enumOf(['Managed', 'Unmanaged']).immutable('managementType is immutable'),
  managed: managedEtcd.optional(),
  unmanaged: unmanagedEtcd.optional(),
})
  .rule(
    "self.managementType == 'Managed' ? has(self.managed) : !has(self.managed)",
    'Only managed configuration must be set when managementType is Managed',
  )
  .rule(
    "self.managementType == 'Unmanaged' ? has(self.unmanaged) : !has(self.unmanaged)",
    'Only unmanaged configuration must be set when managementType is Unmanaged',
  );
