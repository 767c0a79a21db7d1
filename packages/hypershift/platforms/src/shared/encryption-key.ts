import type { HostedControlPlane } from '@hypershift-ts/hypershift-api';
import type { CloudTask } from '../cloud-account.ts';

/** Whether the key that Secrets are encrypted with can be used, on clouds with a key service. */
export function encryptionKeyTask(cloud: 'AWS' | 'Azure', isUsed: (hcp: HostedControlPlane) => boolean): CloudTask {
  return {
    condition: `Valid${cloud}KMSConfig`,
    refused: `${cloud}Error`,
    purpose: 'see whether the encryption key can be used',
    unused: (hcp) => (isUsed(hcp) ? undefined : `${cloud} KMS is not configured`),
    async run(hcp, account, signal) {
      await account.checkEncryptionKey(hcp, signal);
      return undefined;
    },
  };
}
