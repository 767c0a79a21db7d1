/** Cloud keys that encrypt etcd backups. */
import { object, raw, string } from '../schema/index.ts';

export const awsBackupKey = object({
  kmsKeyARN: string({ minLength: 1, maxLength: 256 })
    .describe('ARN of the KMS key that encrypts the backup.')
    .rule(
      "self.matches('^arn:(aws|aws-cn|aws-us-gov):kms:[a-z0-9-]+:[0-9]{12}:key/[a-zA-Z0-9-]+$')",
      'kmsKeyARN must be a valid AWS KMS key ARN (arn:<partition>:kms:<region>:<account-id>:key/<key-id>)',
    ),
}).describe('KMS key that encrypts backups on AWS.');

export const azureBackupKey = object({
  encryptionKeyURL: string({ minLength: 1, maxLength: 210 })
    .describe(
      'URL of the key in a Key Vault or Managed HSM that encrypts the backup;',
      'without a version the newest one is used.',
    )
    .rule(
      raw`self.matches('^https://[a-zA-Z0-9-]+\\.(vault\\.(azure\\.net|usgovcloudapi\\.net|azure\\.cn|microsoftazure\\.de|sovcloud-api\\.fr)|managedhsm\\.(azure\\.net|usgovcloudapi\\.net|azure\\.cn|microsoftazure\\.de|sovcloud-api\\.fr))/keys/[a-zA-Z0-9-]+(/[a-zA-Z0-9]+)?$')`,
      'encryptionKeyURL must be a valid Azure Key Vault or Managed HSM HTTPS URL',
    ),
}).describe('Key Vault key that encrypts backups on Azure.');
