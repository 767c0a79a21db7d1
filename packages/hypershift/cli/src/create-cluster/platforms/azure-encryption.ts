import { UserError } from '../../cli-error.ts';
import { textField } from '../json-fields.ts';
import type { JsonFields, PlatformFlagValues } from '../platform-builder.ts';
import type { HostedClusterSpec } from '../request.ts';

/** How vaults hold secrets; nothing else is in use. */
export const objectEncoding = 'utf-8';

const vaultHosts =
  /^([^.]+)\.(vault|managedhsm)\.(azure\.net|azure\.cn|usgovcloudapi\.net|microsoftazure\.de|sovcloud-api\.fr)$/;

/** A key by its address: `https://<vault>.vault.azure.net/keys/<name>/<version>`. */
function keyAt(address: string) {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const [, vault, product] = vaultHosts.exec(url?.hostname ?? '') ?? [];
  const [, keys, keyName, keyVersion, ...more] = url?.pathname.split('/') ?? [];
  if (!vault || keys !== 'keys' || !keyName || !keyVersion || more.length > 0)
    throw new UserError(
      `--encryption-key-id ${address}: not a key`,
      'Write it as https://<vault>.vault.azure.net/keys/<name>/<version>.',
    );
  const keyVaultType: 'KeyVault' | 'ManagedHSM' = product === 'vault' ? 'KeyVault' : 'ManagedHSM';
  return { activeKey: { keyVaultName: vault, keyName, keyVersion }, keyVaultType };
}

/** Encryption with a key of a vault, when one is named. */
export function azureEncryption(
  flags: PlatformFlagValues,
  infra: JsonFields,
): Pick<HostedClusterSpec, 'secretEncryption'> {
  const address = flags.text('encryption-key-id');
  if (!address) return {};
  const clientID = textField(infra, 'kmsClientID');
  const secret = flags.text('kms-credentials-secret-name');
  if (!clientID && !secret)
    throw new UserError(
      '--encryption-key-id: nobody is named who may use the key',
      'Give --kms-credentials-secret-name, or an --infra-json with kmsClientID.',
    );
  const identity = clientID
    ? { workloadIdentity: { clientID } }
    : { kms: { credentialsSecretName: secret ?? '', objectEncoding: objectEncoding as 'utf-8' } };
  return {
    secretEncryption: { type: 'kms', kms: { provider: 'Azure', azure: { ...keyAt(address), ...identity } } },
  };
}
