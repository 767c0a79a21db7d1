/** How far a change of the encryption key has come. */
import { secretNameReference } from '../common/references.ts';
import { dateTime, enumOf, list, object, string } from '../schema/index.ts';
import { awsKmsKey, azureKmsKey, ibmCloudKmsKey } from './secret-encryption.ts';

export const aescbcKeyStatus = object({
  dataHash: string({ minLength: 1, maxLength: 64 }),
  secret: secretNameReference,
});

export const encryptionKeyStatus = object({
  provider: enumOf(['Azure', 'AWS', 'IBMCloud', 'AESCBC']),
  aescbc: aescbcKeyStatus.optional(),
  aws: awsKmsKey.optional(),
  azure: azureKmsKey.optional(),
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
  fingerprint: string({ minLength: 1, maxLength: 64 }),
  provider: enumOf(['Azure', 'AWS', 'IBMCloud', 'AESCBC']),
});

export const keyMigration = object({
  from: encryptionKeyFingerprint,
  startedTime: dateTime(),
  state: enumOf(['ReadOnlyDeploy', 'WritePromote', 'Migrating', 'Completed', 'Interrupted']),
  to: encryptionKeyFingerprint,
  completionTime: dateTime().optional(),
});

export const secretEncryptionStatus = object(
  {
    activeKey: encryptionKeyStatus.optional(),
    history: list(keyMigration, { type: 'atomic', minItems: 1, maxItems: 5 }).optional(),
    targetKey: encryptionKeyStatus.optional(),
  },
  { minProperties: 1 },
);
