import { createHash } from 'node:crypto';
import type { CloudAccount, OfferedService } from './cloud-account.ts';
import type { PlatformType } from './platform.ts';

/** A cloud that is not there: everything is as it should be, and what would be made has an id that follows from its name. */
export function simulatedCloudAccount(platform: PlatformType): CloudAccount {
  return {
    name: `${platform} (simulated)`,
    checkIdentityProvider: async () => {},
    checkEncryptionKey: async () => {},
    ensureSecurityGroup: async ({ network, name }) => `sg-${idFrom(`${network}/${name}`)}`,
    deleteSecurityGroup: async () => {},
    offerService: async (service) => serviceName[platform]?.(service) ?? service.name,
    withdrawService: async () => {},
    connectEndpoint: async ({ name, service }) => ({ id: `vpce-${idFrom(name)}`, ip: addressFrom(service) }),
    disconnectEndpoint: async () => {},
  };
}

/** Names of offered services, as the cloud would make them. */
const serviceName: { readonly [type in PlatformType]?: (service: OfferedService) => string } = {
  AWS: ({ name, region }) => `com.amazonaws.vpce.${region}.vpce-svc-${idFrom(name)}`,
  GCP: ({ name, region }) => `projects/simulated-project/regions/${region}/serviceAttachments/${name}`,
};

function addressFrom(text: string): string {
  return `10.${createHash('sha256').update(text).digest().subarray(0, 3).join('.')}`;
}

/** As long as ids of AWS are. */
function idFrom(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 17);
}
