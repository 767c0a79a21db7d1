/** Amazon Web Services, self-managed and ROSA: roles assumed with tokens of the hosted cluster. */
import { awsEndpointServices, type HostedCluster } from '@hypershift-ts/hypershift-api';
import type { Platform } from '../platform.ts';
import { plainPlatform, traits } from '../shared/plain-platform.ts';
import { awsGuest } from './guest.ts';
import { awsCloudCleanUp, awsCloudTasks } from './cloud.ts';
import { awsCloudConfig } from './cloud-config.ts';
import { awsCredentials } from './credentials.ts';
import { awsFlags } from './flags.ts';
import { awsInfrastructure } from './infrastructure.ts';
import { awsMachines } from './machines.ts';
import { awsOrphans } from './orphans.ts';
import { awsPrivateLink } from './private-link.ts';
import { awsProvider } from './provider.ts';

export { awsCredentialStatus } from './orphans.ts';

/** Whether the API server of a cluster is reached through PrivateLink. */
export const isPrivateOnAws = ({ spec }: HostedCluster): boolean =>
  (spec.platform.aws?.endpointAccess ?? 'Public') !== 'Public';

/** Whether a cluster belongs to ROSA, which tags everything it makes. */
export const isRosa = ({ spec }: Pick<HostedCluster, 'spec'>): boolean =>
  spec.platform.aws?.resourceTags?.some(({ key, value }) => key === 'red-hat-managed' && value === 'true') ?? false;

export const aws: Platform = plainPlatform('AWS', {
  guest: awsGuest,
  traits: traits('AWS', {
    privateRouter: true,
    managementKasPolicy: true,
    publishesOidcDocuments: true,
    bubbledConditions: ['AWSDefaultSecurityGroupCreated', 'ValidAWSIdentityProvider', 'ValidAWSKMSConfig'],
    privateConnectivity: {
      type: awsEndpointServices,
      conditions: {
        AWSEndpointAvailable: 'AWSEndpointAvailable',
        AWSEndpointServiceAvailable: 'AWSEndpointServiceAvailable',
      },
      isExpected: () => true,
    },
  }),
  infrastructure: awsInfrastructure,
  provider: awsProvider,
  credentials: awsCredentials,
  cloudTasks: awsCloudTasks,
  cloudCleanUp: awsCloudCleanUp,
  privateLink: awsPrivateLink,
  isPrivate: isPrivateOnAws,
  machines: awsMachines,
  orphans: awsOrphans,
  cloudControllerManager: {
    component: 'aws-cloud-controller-manager',
    image: 'aws-cloud-controller-manager',
    cloudProvider: 'aws',
    credentials: () => 'cloud-controller-creds',
    tokenServiceAccount: { namespace: 'kube-system', name: 'kube-controller-manager' },
  },
  cloudProviderConfig: (hcp) => [awsCloudConfig(hcp)],
  flags: awsFlags,
});
