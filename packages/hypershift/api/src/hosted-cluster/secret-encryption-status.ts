/** How far a change of the encryption key has come. */
import { secretNameReference } from '../common/references.ts';
import { dateTime, enumOf, list, object, string } from '../schema/index.ts';
import { awsKmsKey, azureKmsKey, ibmCloudKmsKey } from './secret-encryption.ts';

export const aescbcKeyStatus = object({
  dataHash: string({ minLength: 1, maxLength: 64 }).describe(
    "Hash of the key bytes, so that a change of the Secret's content is noticed.",
  ),
  secret: secretNameReference.describe('Secret the key was read from.'),
}).describe('A key kept in a Secret, identified by name and content.');

export const encryptionKeyStatus = object({
  provider: enumOf(['Azure', 'AWS', 'IBMCloud', 'AESCBC']).describe(
    'Where the key lives; tells which of the other members is filled.',
  ),
  aescbc: aescbcKeyStatus.optional(),
  aws: awsKmsKey.optional().describe('The key, when it lives in AWS KMS.'),
  azure: azureKmsKey.optional().describe('The key, when it lives in Azure.'),
  ibmCloud: ibmCloudKmsKey.optional(),
})
  .rule(
    "self.provider == 'Azure' ? has(self.azure) : !has(self.azure)",
    'azure is required when provider is Azure, and forbidden otherwise',
  )
  .rule(
    "self.provider == 'AWS' ? has(self.aws) : !has(self.aws)",
    'aws is required when provider is AWS, and forbidden otherwise',
  )
  .rule(
    "self.provider == 'IBMCloud' ? has(self.ibmCloud) : !has(self.ibmCloud)",
    'ibmCloud is required when provider is IBMCloud, and forbidden otherwise',
  )
  .rule(
    "self.provider == 'AESCBC' ? has(self.aescbc) : !has(self.aescbc)",
    'aescbc is required when provider is AESCBC, and forbidden otherwise',
  );

export const encryptionKeyFingerprint = object({
  fingerprint: string({ minLength: 1, maxLength: 64 }).describe(
    'SHA-256 of the description of the key, in hexadecimal; says which key without telling anything about it.',
  ),
  provider: enumOf(['Azure', 'AWS', 'IBMCloud', 'AESCBC']).describe('Where the key lives.'),
});

export const keyMigration = object({
  from: encryptionKeyFingerprint.describe('Key the data was encrypted with before.'),
  startedTime: dateTime().describe('When the rotation began.'),
  state: enumOf(['ReadOnlyDeploy', 'WritePromote', 'Migrating', 'Completed', 'Interrupted']).describe(
    'Step reached: new key deployed for reading, then used for writing, then existing data rewritten.',
    '`Interrupted` means that another key was asked for before the end.',
  ),
  to: encryptionKeyFingerprint.describe('Key the data is encrypted with afterwards.'),
  completionTime: dateTime().optional().describe('When the rotation ended; absent while it runs.'),
});

export const secretEncryptionStatus = object(
  {
    activeKey: encryptionKeyStatus.optional().describe('Key all existing data is encrypted with.'),
    history: list(keyMigration, { type: 'atomic', minItems: 1, maxItems: 5 }).optional().describe('Latest rotations.'),
    targetKey: encryptionKeyStatus.optional().describe('Key a running rotation moves to; absent when none runs.'),
  },
  { minProperties: 1 },
).describe('Key in use and progress of its rotation.');
