/** Encryption of Secrets before they reach etcd. */
import { localObjectReference } from '../common/references.ts';
import { azureManagedIdentity, azureWorkloadIdentity } from '../platforms/azure-identities.ts';
import { emptyObject, enumOf, integer, list, object, string } from '../schema/index.ts';

export const awsKmsKey = object({
  arn: string({ minLength: 1, maxLength: 2048 }).rule("self.startsWith('arn:')", "arn must start with 'arn:'"),
});

export const azureKmsKey = object({
  keyName: string({ minLength: 1, maxLength: 255 }),
  keyVaultName: string({ minLength: 1, maxLength: 255 }),
  keyVersion: string({ minLength: 1, maxLength: 255 }),
});

export const ibmCloudKmsKey = object({
  correlationID: string({ minLength: 1, maxLength: 255 }),
  crkID: string({ minLength: 1, maxLength: 255 }),
  instanceID: string({ minLength: 1, maxLength: 255 }),
  keyVersion: integer({ minimum: 0, maximum: 2147483647 }),
  url: string({ minLength: 1, maxLength: 2048 }).rule("self.startsWith('https://')", "url must start with 'https://'"),
});

export const aescbcEncryption = object({
  activeKey: localObjectReference,
  backupKey: localObjectReference.optional(),
});

export const awsKms = object({
  activeKey: awsKmsKey,
  auth: object({
    awsKms: string({ maxLength: 2048 }),
  }),
  region: string({ maxLength: 255 }),
  backupKey: awsKmsKey.optional(),
});

export const azureKms = object({
  activeKey: azureKmsKey,
  backupKey: azureKmsKey.optional(),
  keyVaultAccess: enumOf(['Public', 'Private', '']).optional(),
  keyVaultType: enumOf(['KeyVault', 'ManagedHSM']).optional(),
  kms: azureManagedIdentity.optional(),
  workloadIdentity: azureWorkloadIdentity.optional(),
})
  .rule(
    '!has(self.backupKey) || self.backupKey.keyVaultName == self.activeKey.keyVaultName',
    'backupKey.keyVaultName must match activeKey.keyVaultName; both keys must reside in the same Key Vault',
  )
  .rule(
    "(has(self.keyVaultType) ? self.keyVaultType : 'KeyVault') == (has(oldSelf.keyVaultType) ? oldSelf.keyVaultType : 'KeyVault')",
    'keyVaultType is immutable',
  )
  .rule('!(has(self.kms) && has(self.workloadIdentity))', 'kms and workloadIdentity are mutually exclusive')
  .rule('has(self.kms) || has(self.workloadIdentity)', 'one of kms or workloadIdentity must be set')
  .rule('has(self.kms) == has(oldSelf.kms)', 'the KMS authentication mode is immutable once set');

export const ibmCloudKmsAuth = object({
  type: enumOf(['Managed', 'Unmanaged']),
  managed: emptyObject().optional(),
  unmanaged: object({
    credentials: localObjectReference,
  }).optional(),
});

export const ibmCloudKms = object({
  auth: ibmCloudKmsAuth,
  keyList: list(ibmCloudKmsKey, { maxItems: 100 }),
  region: string({ maxLength: 255 }),
});

export const kmsEncryption = object({
  provider: enumOf(['IBMCloud', 'AWS', 'Azure']),
  aws: awsKms.optional(),
  azure: azureKms.optional(),
  ibmcloud: ibmCloudKms.optional(),
});

export const secretEncryption = object({
  type: enumOf(['kms', 'aescbc']),
  aescbc: aescbcEncryption.optional(),
  kms: kmsEncryption.optional(),
});
