/** Encryption of Secrets before they reach etcd. */
import { localObjectReference } from '../common/references.ts';
import { azureManagedIdentity, azureWorkloadIdentity } from '../platforms/azure-identities.ts';
import { emptyObject, enumOf, integer, list, object, string } from '../schema/index.ts';

export const awsKmsKey = object({
  arn: string({ minLength: 1, maxLength: 2048 })
    .describe('ARN of the KMS key.')
    .rule("self.startsWith('arn:')", "arn must start with 'arn:'"),
}).describe('A key in AWS KMS.');

export const azureKmsKey = object({
  keyName: string({ minLength: 1, maxLength: 255 }).describe('Name of the key inside the vault.'),
  keyVaultName: string({ minLength: 1, maxLength: 255 }).describe(
    'Name of the Key Vault or Managed HSM that holds the key.',
  ),
  keyVersion: string({ minLength: 1, maxLength: 255 }).describe(
    'Version of the key; writing another one here starts a rotation.',
  ),
}).describe('A key in Azure Key Vault or Managed HSM, exact to the version.');

export const ibmCloudKmsKey = object({
  correlationID: string({ minLength: 1, maxLength: 255 }).describe(
    'Identifier sent with each request so that it can be followed in the logs of the key service.',
  ),
  crkID: string({ minLength: 1, maxLength: 255 }).describe('Identifier of the root key.'),
  instanceID: string({ minLength: 1, maxLength: 255 }).describe(
    'Identifier of the key service instance that holds the root key.',
  ),
  keyVersion: integer({ minimum: 0, maximum: 2147483647 }).describe(
    'Number that orders the keys of the list; the highest one encrypts, the others only decrypt.',
  ),
  url: string({ minLength: 1, maxLength: 2048 })
    .describe('HTTPS address of the key service.')
    .rule("self.startsWith('https://')", "url must start with 'https://'"),
}).describe('A root key in IBM Key Protect or Hyper Protect Crypto Services.');

export const aescbcEncryption = object({
  activeKey: localObjectReference.describe(
    'Secret whose entry `key` holds the 32-byte key that encrypts;',
    'pointing to another Secret starts a rotation.',
  ),
  backupKey: localObjectReference
    .optional()
    .describe(
      'Deprecated: earlier key that can still decrypt. Ignored once the status reports an active key,',
      'because rotation keeps track itself.',
    ),
}).describe('Encryption with a key kept in a Secret.');

export const awsKms = object({
  activeKey: awsKmsKey.describe('Key that encrypts; replacing it starts a rotation.'),
  auth: object({
    awsKms: string({ maxLength: 2048 }).describe('ARN of the IAM role that may use the key.'),
  }).describe('How the control plane proves to KMS that it may use the key.'),
  region: string({ maxLength: 255 }).describe('AWS region the keys live in.'),
  backupKey: awsKmsKey
    .optional()
    .describe('Deprecated: earlier key that can still decrypt. Ignored once the status reports an active key.'),
}).describe('Encryption with a key in AWS KMS.');

export const azureKms = object({
  activeKey: azureKmsKey.describe('Key that encrypts; replacing it starts a rotation.'),
  backupKey: azureKmsKey
    .optional()
    .describe(
      'Deprecated: earlier key of the same vault that can still decrypt.',
      'Ignored once the status reports an active key.',
    ),
  keyVaultAccess: enumOf(['Public', 'Private', ''])
    .optional()
    .describe(
      'Whether the vault is reached over the internet or only through a private endpoint;',
      'absent or empty means `Public`.',
    ),
  keyVaultType: enumOf(['KeyVault', 'ManagedHSM'])
    .optional()
    .describe(
      'Product that holds the keys; absent means `KeyVault`. `ManagedHSM` needs release 4.22 or later,',
      'and the choice is fixed.',
    ),
  kms: azureManagedIdentity
    .optional()
    .describe('Managed identity that may use the key; set this or `workloadIdentity`.'),
  workloadIdentity: azureWorkloadIdentity
    .optional()
    .describe('Workload identity that may use the key; set this or `kms`.'),
})
  .describe('Encryption with a key in Azure Key Vault or Managed HSM; the kind of identity is fixed once chosen.')
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
  type: enumOf(['Managed', 'Unmanaged']).describe(
    'Who provides the credentials: the service layer (`Managed`) or you (`Unmanaged`).',
  ),
  managed: emptyObject().optional().describe('Marks credentials that the service layer provides; it has no settings.'),
  unmanaged: object({
    credentials: localObjectReference.describe(
      'Secret whose entry `iam_apikey` holds an API key that may use the root keys.',
    ),
  })
    .optional()
    .describe('Credentials of your own; for type `Unmanaged`.'),
}).describe('How the control plane proves to the key service that it may use the keys.');

export const ibmCloudKms = object({
  auth: ibmCloudKmsAuth,
  keyList: list(ibmCloudKmsKey, { maxItems: 100 }).describe(
    'Root keys; the one with the highest version encrypts and all of them can decrypt.',
    'Keep an old key until nothing is encrypted with it.',
  ),
  region: string({ maxLength: 255 }).describe('IBM Cloud region of the key service.'),
}).describe('Encryption with root keys in IBM Cloud.');

export const kmsEncryption = object({
  provider: enumOf(['IBMCloud', 'AWS', 'Azure']).describe(
    'Cloud whose key service is used; set the member of the same name.',
  ),
  aws: awsKms.optional(),
  azure: azureKms.optional(),
  ibmcloud: ibmCloudKms.optional(),
}).describe('Encryption with a key that never leaves a cloud key service.');

export const secretEncryption = object({
  type: enumOf(['kms', 'aescbc']).describe(
    'Where the key lives: in a cloud key service (`kms`) or in a Secret (`aescbc`).',
    'The matching member is not enforced on admission, so mind to set it.',
  ),
  aescbc: aescbcEncryption.optional(),
  kms: kmsEncryption.optional(),
}).describe(
  'Encryption of Secrets before they are written to etcd; cannot be taken away once configured.',
  'On KubeVirt a key is generated when this is absent.',
);
