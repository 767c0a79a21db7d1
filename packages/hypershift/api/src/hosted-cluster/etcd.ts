/** Where the state of the hosted cluster is kept. */
import { localObjectReference } from '../common/references.ts';
import { enumOf, list, object, quantity, string } from '../schema/index.ts';
import { awsBackupKey, azureBackupKey } from './etcd-encryption-keys.ts';
import { etcdScheduling, managedEtcdShard, unmanagedEtcdShard } from './etcd-shards.ts';

export const etcdPersistentVolume = object({
  size: quantity()
    .optional()
    .default('8Gi')
    .describe('Capacity of the volume of each member; it cannot grow later, so plan for it.')
    .immutable('Etcd PV storage size is immutable'),
  storageClassName: string({ maxLength: 255 })
    .optional()
    .describe(
      'Storage class of the volumes; absent means the default class of the management cluster.',
      'Fast disks matter here.',
    )
    .immutable('storageClassName is immutable'),
}).describe('Volume each etcd member gets.');

export const etcdStorage = object({
  type: enumOf(['PersistentVolume']).describe('Kind of storage; persistent volumes are the only one.'),
  persistentVolume: etcdPersistentVolume.optional(),
  restoreSnapshotURL: list(string({ maxLength: 1024 }), { type: 'set', maxItems: 1 })
    .optional()
    .describe(
      'URL of an etcd snapshot to start from, at most one; read only while the cluster is created.',
      'Use a pre-signed URL when the store needs credentials.',
    )
    .rule('self.size() <= 1', "RestoreSnapshotURL shouldn't contain more than 1 entry")
    .immutable('restoreSnapshotURL is immutable')
    .rule(
      "self.size() == 0 || self[0].matches('^(https|s3)://.*')",
      'restoreSnapshotURL must be a valid URL with scheme https or s3',
    ),
})
  .describe('Where managed etcd keeps its data.')
  .rule(
    'has(self.restoreSnapshotURL) == has(oldSelf.restoreSnapshotURL)',
    'restoreSnapshotURL cannot be added or removed after creation',
  );

export const etcdBackup = object({
  platform: enumOf(['AWS', 'Azure']).describe(
    'Cloud whose key encrypts the backups; decides which of the other fields must be set.',
  ),
  aws: awsBackupKey.optional(),
  azure: azureBackupKey.optional(),
})
  .describe('Encryption settings used when this etcd is backed up.')
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
    .describe('Further etcd clusters that take single resources off the main one; the set is decided at creation.')
    .rule(
      'self.all(s1, self.all(s2, s1.name == s2.name || !s1.resources.exists(r, s2.resources.exists(q, r.apiGroup == q.apiGroup && r.resource == q.resource))))',
      'resources must not overlap across shards',
    )
    .rule('self.size() == oldSelf.size()', 'shards cannot be added or removed after creation')
    .rule('oldSelf.all(old, self.exists(cur, cur.name == old.name))', 'existing shards cannot be replaced'),
})
  .describe('Settings of the etcd that runs beside the control plane on the management cluster.')
  .rule('has(oldSelf.shards) == has(self.shards)', 'shards cannot be added or removed after creation', {
    gate: 'EtcdSharding',
  });

export const unmanagedEtcd = object({
  endpoint: string({ maxLength: 255, pattern: '^https://' }).describe('HTTPS client URL of your etcd cluster.'),
  tls: object({
    clientSecret: localObjectReference.describe(
      'Secret with `etcd-client.crt`, `etcd-client.key` and `etcd-client-ca.crt` for talking to etcd.',
    ),
  }).describe('Client certificate the control plane shows to etcd.'),
  shards: list(unmanagedEtcdShard, { type: 'map', keys: ['name'], minItems: 1, maxItems: 10 })
    .optional()
    .gate('EtcdSharding')
    .describe('Further etcd clusters of yours that take single resources; the set is decided at creation.')
    .rule(
      'self.all(s1, self.all(s2, s1.name == s2.name || !s1.resources.exists(r, s2.resources.exists(q, r.apiGroup == q.apiGroup && r.resource == q.resource))))',
      'resources must not overlap across shards',
    )
    .rule('self.size() == oldSelf.size()', 'shards cannot be added or removed after creation')
    .rule('oldSelf.all(old, self.exists(cur, cur.name == old.name))', 'existing shards cannot be replaced'),
})
  .describe('Settings for an etcd that you run yourself and keep alive.')
  .rule('has(oldSelf.shards) == has(self.shards)', 'shards cannot be added or removed after creation', {
    gate: 'EtcdSharding',
  });

export const etcd = object({
  managementType: enumOf(['Managed', 'Unmanaged'])
    .describe('Who runs etcd: HyperShift (`Managed`) or you (`Unmanaged`); decided at creation.')
    .immutable('managementType is immutable'),
  managed: managedEtcd.optional(),
  unmanaged: unmanagedEtcd.optional(),
})
  .describe('Where the hosted cluster keeps its state.')
  .rule(
    "self.managementType == 'Managed' ? has(self.managed) : !has(self.managed)",
    'Only managed configuration must be set when managementType is Managed',
  )
  .rule(
    "self.managementType == 'Unmanaged' ? has(self.unmanaged) : !has(self.unmanaged)",
    'Only unmanaged configuration must be set when managementType is Unmanaged',
  );
