import { createHash } from 'node:crypto';
import type { CloudAccount } from './cloud-account.ts';
import type { PlatformType } from './platform.ts';

/** A cloud that is not there: everything is as it should be, and what would be made has an id that follows from its name. */
export function simulatedCloudAccount(platform: PlatformType): CloudAccount {
  return {
    name: `${platform} (simulated)`,
    checkIdentityProvider: async () => {},
    checkEncryptionKey: async () => {},
    ensureSecurityGroup: async ({ network, name }) => `sg-${idFrom(`${network}/${name}`)}`,
    deleteSecurityGroup: async () => {},
  };
}

/** As long as ids of AWS are. */
function idFrom(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 17);
}
