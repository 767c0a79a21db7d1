/** Microsoft Azure: workload identities on clusters of one's own, managed identities from a vault on ARO. */
import { azurePrivateLinkServices, type HostedCluster } from '@hypershift-ts/hypershift-api';
import type { Platform } from '../platform.ts';
import { encryptionKeyTask } from '../shared/encryption-key.ts';
import { plainPlatform, traits } from '../shared/plain-platform.ts';
import { azureGuest } from './guest.ts';
import { azureCloudConfigs } from './cloud-config.ts';
import { azureCredentials, azureKeyService } from './credentials.ts';
import { azureFlags } from './flags.ts';
import { azureInfrastructure } from './infrastructure.ts';
import { azureOrphans } from './orphans.ts';
import { azureProvider } from './provider.ts';
import { azureMachines } from './machines.ts';

const hasPrivateLink = ({ spec }: HostedCluster): boolean => spec.platform.azure?.private?.type === 'PrivateLink';

const shown = [
  'AzureInternalLoadBalancerAvailable',
  'AzurePLSCreated',
  'AzurePrivateEndpointAvailable',
  'AzurePrivateDNSAvailable',
  'AzurePrivateLinkServiceAvailable',
];

export const azure: Platform = plainPlatform('Azure', {
  machines: azureMachines,
  guest: azureGuest,
  traits: traits('Azure', {
    privateRouter: true,
    bubbledConditions: ['ValidAzureKMSConfig'],
    privateConnectivity: {
      type: azurePrivateLinkServices,
      conditions: Object.fromEntries(shown.map((type) => [type, type])),
      isExpected: hasPrivateLink,
    },
  }),
  infrastructure: azureInfrastructure,
  provider: azureProvider,
  credentials: azureCredentials,
  keyService: azureKeyService,
  cloudTasks: [encryptionKeyTask('Azure', ({ spec }) => spec.secretEncryption?.kms?.azure !== undefined)],
  orphans: azureOrphans,
  cloudControllerManager: {
    component: 'azure-cloud-controller-manager',
    image: 'azure-cloud-controller-manager',
    cloudProvider: 'azure',
    tokenServiceAccount: { namespace: 'kube-system', name: 'azure-cloud-provider' },
  },
  cloudProviderConfig: azureCloudConfigs,
  flags: azureFlags,
});
