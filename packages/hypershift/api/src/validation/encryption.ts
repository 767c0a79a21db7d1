/** Encryption of Secrets: the chosen way must be described. */
import { fieldError } from '@hypershift-ts/kube-apimachinery';
import { continuousMinor, type HostedClusterCheck } from './facts.ts';

const providers = { AWS: 'aws', Azure: 'azure', IBMCloud: 'ibmcloud' } as const;

export const validateSecretEncryption: HostedClusterCheck = ({ spec }, { secrets }) => {
  const encryption = spec.secretEncryption;
  if (!encryption) return [];
  const field = 'spec.secretEncryption';
  if (encryption.type === 'aescbc') {
    const name = encryption.aescbc?.activeKey?.name;
    if (!name) return [fieldError.required(`${field}.aescbc.activeKey.name`, 'type is aescbc')];
    const secret = secrets?.get(name);
    if (secrets && !secret) return [fieldError.notFound(`${field}.aescbc.activeKey`, name)];
    return secret && !('key' in secret)
      ? [fieldError.invalid(`${field}.aescbc.activeKey`, name, 'Secret must have the key "key"')]
      : [];
  }
  const kms = encryption.kms;
  if (!kms) return [fieldError.required(`${field}.kms`, 'type is kms')];
  const member = providers[kms.provider];
  if (kms[member] === undefined) return [fieldError.required(`${field}.kms.${member}`, `provider is ${kms.provider}`)];
  const auth = kms.ibmcloud?.auth;
  return kms.provider === 'IBMCloud' && auth?.type === 'Unmanaged' && !auth.unmanaged
    ? [fieldError.required(`${field}.kms.ibmcloud.auth.unmanaged`, 'auth type is Unmanaged')]
    : [];
};

const managedHSMSince = 22;

/** Managed HSM came with 4.22. */
export const validateManagedHSM: HostedClusterCheck = ({ spec }, { releaseVersion }) => {
  const type = spec.secretEncryption?.kms?.azure?.keyVaultType;
  const minor = releaseVersion === undefined ? undefined : continuousMinor(releaseVersion);
  if (type !== 'ManagedHSM' || minor === undefined || minor >= managedHSMSince) return [];
  const field = 'spec.secretEncryption.kms.azure.keyVaultType';
  return [fieldError.invalid(field, type, `needs release 4.${managedHSMSince} or later, found ${releaseVersion}`)];
};
