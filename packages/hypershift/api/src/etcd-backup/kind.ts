/** One backup of the etcd of a hosted control plane. */
import { condition } from '../common/conditions.ts';
import { secretNameReference } from '../common/references.ts';
import { awsBackupKey, azureBackupKey } from '../hosted-cluster/etcd-encryption-keys.ts';
import {
  defineKind,
  enumOf,
  list,
  object,
  raw,
  resourceOf,
  string,
  type ManifestOf,
  type ObjectOf,
} from '../schema/index.ts';

export const etcdBackupAzureBlob = object({
  container: string({ minLength: 3, maxLength: 63 })
    .describe('Blob container to upload to.')
    .rule(
      "self.matches('^[a-z0-9]([a-z0-9-]*[a-z0-9])?$')",
      'container must consist of lowercase letters, numbers, and hyphens, and must start and end with a letter or number',
    )
    .rule("!self.contains('--')", 'container must not contain consecutive hyphens'),
  credentials: secretNameReference.describe(
    'Secret with credentials for uploading, in the namespace of the HyperShift operator.',
  ),
  keyPrefix: string({ minLength: 1, maxLength: 1024 })
    .describe('Path below which the backup is put.')
    .rule(
      "self.matches('^[a-zA-Z0-9/_.-]+$')",
      'keyPrefix must consist of alphanumeric characters, forward slashes, hyphens, underscores, and periods',
    ),
  storageAccount: string({ minLength: 3, maxLength: 24 })
    .describe('Storage account that holds the container.')
    .rule("self.matches('^[a-z0-9]+$')", 'storageAccount must consist of lowercase letters and numbers only'),
  encryptionKeyURL: string({ minLength: 1, maxLength: 210 })
    .optional()
    .describe('Key Vault key that encrypts the backup; absent leaves encryption to the storage account.')
    .rule(
      raw`self.matches('^https://[a-zA-Z0-9-]+\\.(vault\\.(azure\\.net|usgovcloudapi\\.net|azure\\.cn|microsoftazure\\.de|sovcloud-api\\.fr)|managedhsm\\.(azure\\.net|usgovcloudapi\\.net|azure\\.cn|microsoftazure\\.de|sovcloud-api\\.fr))/keys/[a-zA-Z0-9-]+(/[a-zA-Z0-9]+)?$')`,
      'encryptionKeyURL must be a valid Azure Key Vault or Managed HSM HTTPS URL',
    )
    .immutable('encryptionKeyURL is immutable'),
})
  .describe('Backup to Azure Blob Storage.')
  .rule('!has(oldSelf.encryptionKeyURL) || has(self.encryptionKeyURL)', 'encryptionKeyURL cannot be removed once set');

export const etcdBackupS3 = object({
  bucket: string({ minLength: 3, maxLength: 63 })
    .describe('Bucket to upload to.')
    .rule(
      "self.matches('^[a-z0-9][a-z0-9.-]*[a-z0-9]$')",
      'bucket must consist of lowercase letters, numbers, hyphens, and periods, and must start and end with a letter or number',
    )
    .rule("!self.contains('..')", 'bucket must not contain consecutive periods'),
  credentials: secretNameReference.describe(
    'Secret whose `credentials` may upload, in the namespace of the HyperShift operator.',
  ),
  keyPrefix: string({ minLength: 1, maxLength: 1024 })
    .describe('Path below which the backup is put.')
    .rule(
      raw`self.matches('^[a-zA-Z0-9!_.*\'()/-]+$')`,
      'keyPrefix must consist of safe S3 key characters: alphanumeric characters, forward slashes, hyphens, underscores, periods, exclamation marks, asterisks, single quotes, and parentheses',
    ),
  region: string({ minLength: 1, maxLength: 63 })
    .describe('AWS region of the bucket.')
    .rule(
      "self.matches('^[a-z][a-z0-9-]*[a-z0-9]$')",
      'region must consist of lowercase letters, digits, and hyphens, must start with a letter and end with an alphanumeric character',
    )
    .rule("!self.contains('--')", 'region must not contain consecutive hyphens'),
  kmsKeyARN: string({ minLength: 1, maxLength: 256 })
    .optional()
    .describe('KMS key that encrypts the backup; absent leaves encryption to the bucket.')
    .rule(
      "self.matches('^arn:(aws|aws-cn|aws-us-gov):kms:[a-z0-9-]+:[0-9]{12}:key/[a-zA-Z0-9-]+$')",
      'kmsKeyARN must be a valid AWS KMS key ARN (arn:<partition>:kms:<region>:<account-id>:key/<key-id>)',
    )
    .immutable('kmsKeyARN is immutable'),
})
  .describe('Backup to Amazon S3.')
  .rule('!has(oldSelf.kmsKeyARN) || has(self.kmsKeyARN)', 'kmsKeyARN cannot be removed once set');

export const etcdBackupStorage = object({
  storageType: enumOf(['S3', 'AzureBlob']).describe('Store to upload to; the member that belongs to it must be set.'),
  azureBlob: etcdBackupAzureBlob.optional(),
  s3: etcdBackupS3.optional(),
})
  .describe('Where the backup goes.')
  .rule(
    "self.storageType == 'S3' ? has(self.s3) : !has(self.s3)",
    's3 configuration is required when storageType is S3, and forbidden otherwise',
  )
  .rule(
    "self.storageType == 'AzureBlob' ? has(self.azureBlob) : !has(self.azureBlob)",
    'azureBlob configuration is required when storageType is AzureBlob, and forbidden otherwise',
  );

export const etcdBackupEncryption = object(
  {
    aws: awsBackupKey.optional(),
    azure: azureBackupKey.optional(),
  },
  { minProperties: 1, maxProperties: 1 },
).describe('Key the backup is encrypted with; needed for restoring.');

export const etcdBackupStatus = object(
  {
    conditions: list(condition, { type: 'map', keys: ['type'], minItems: 1, maxItems: 10 })
      .optional()
      .describe('`BackupCompleted` tells whether the backup is done, running or failed.'),
    encryptionMetadata: etcdBackupEncryption.optional(),
    snapshotURL: string({ minLength: 1, maxLength: 2048 })
      .optional()
      .describe('Where the finished backup lies; can be given to a new cluster as `restoreSnapshotURL`.')
      .rule("self.matches('^(https|s3)://.*')", 'snapshotURL must be a valid URL with scheme https or s3'),
  },
  { minProperties: 1 },
).describe('How the backup went.');

export const hcpEtcdBackup = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'HCPEtcdBackup',
  plural: 'hcpetcdbackups',
  shortNames: ['hcpetcdbk'],
  scope: 'Namespaced',
  gate: 'HCPEtcdBackup',
  description:
    'One backup of the etcd of the control plane in the same namespace. It runs once; failed ones are not tried again.',
  columns: [
    { name: 'Completed', type: 'string', jsonPath: '.status.conditions[?(@.type=="BackupCompleted")].status' },
    { name: 'URL', type: 'string', jsonPath: '.status.snapshotURL' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  statusSubresource: true,
  fields: {
    spec: object({
      storage: etcdBackupStorage,
    })
      .describe('What to back up to; cannot be changed, so create a new object for each backup.')
      .immutable('HCPEtcdBackupSpec is immutable'),
    status: etcdBackupStatus.optional(),
  },
});

/** An HCPEtcdBackup as an API server hands it out: defaults are filled in. */
export type HCPEtcdBackup = ObjectOf<typeof hcpEtcdBackup>;

/** An HCPEtcdBackup as a client may send it. */
export type HCPEtcdBackupManifest = ManifestOf<typeof hcpEtcdBackup>;

export const hcpEtcdBackups = resourceOf(hcpEtcdBackup);
