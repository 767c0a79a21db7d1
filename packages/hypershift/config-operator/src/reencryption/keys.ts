import { createHash } from 'node:crypto';
import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import { hashRaw } from '@hypershift-ts/hypershift-ignition';

type Encryption = NonNullable<HostedControlPlane['spec']['secretEncryption']>;
export type EncryptionStatus = NonNullable<NonNullable<HostedControlPlane['status']>['secretEncryption']>;
export type KeyStatus = NonNullable<EncryptionStatus['activeKey']>;

const sha256 = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/** What the spec asks for, as status names keys; undefined when it is incomplete. `key` is the content of the Secret. */
export function wantedKey(encryption: Encryption, key: Uint8Array | undefined): KeyStatus | undefined {
  const { aescbc, kms } = encryption;
  if (encryption.type === 'aescbc') {
    if (!aescbc || !key) return undefined;
    return { provider: 'AESCBC', aescbc: { secret: { name: aescbc.activeKey.name ?? '' }, dataHash: sha256(key) } };
  }
  if (kms?.provider === 'AWS' && kms.aws) return { provider: 'AWS', aws: kms.aws.activeKey };
  if (kms?.provider === 'Azure' && kms.azure) return { provider: 'Azure', azure: kms.azure.activeKey };
  const [first] = kms?.ibmcloud?.keyList ?? [];
  return kms?.provider === 'IBMCloud' && first ? { provider: 'IBMCloud', ibmCloud: first } : undefined;
}

/** Tells keys apart without telling anything about them. */
export function fingerprint({ aescbc, aws, azure, ibmCloud }: KeyStatus, vaultType: string | undefined): string {
  if (aescbc) return sha256(`${aescbc.secret.name}/${aescbc.dataHash}`);
  if (aws) return sha256(aws.arn);
  if (azure) {
    const identity = [azure.keyVaultName, azure.keyName, azure.keyVersion];
    return sha256([...identity, ...(vaultType === 'ManagedHSM' ? [vaultType] : [])].join('/'));
  }
  return ibmCloud ? sha256(`${ibmCloud.crkID}/${ibmCloud.instanceID}/${ibmCloud.keyVersion}`) : '';
}

/** The name under which the API server's configuration lists a key. */
export function providerName(
  key: KeyStatus,
  content: Uint8Array | undefined,
  vaultType: string | undefined,
): string | undefined {
  if (key.aescbc) return content && `key-${fnv32(content)}`;
  if (key.aws) return `awskmskey-${fnv32(Buffer.from(key.aws.arn))}`;
  if (key.azure) {
    const { keyVaultName, keyName, keyVersion } = key.azure;
    const type = vaultType === 'ManagedHSM' ? { keyVaultType: vaultType } : {};
    return `azure-${hashRaw(JSON.stringify({ keyVaultName, keyName, keyVersion, ...type }))}`;
  }
  return key.ibmCloud ? 'ibmv2' : undefined;
}

/** FNV-1 with 32 bits. */
function fnv32(bytes: Uint8Array): number {
  let hash = 0x811c9dc5;
  for (const byte of bytes) hash = (Math.imul(hash, 0x01000193) ^ byte) >>> 0;
  return hash;
}
