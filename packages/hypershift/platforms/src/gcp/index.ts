/** Google Cloud: service accounts impersonated with tokens of the hosted cluster. */
import { gcpPrivateServiceConnects } from '@hypershift-ts/hypershift-api';
import type { Platform } from '../platform.ts';
import { plainPlatform, traits } from '../shared/plain-platform.ts';
import { settingsOf } from '../shared/settings.ts';
import { gcpGuest } from './guest.ts';
import { gcpCredentialConditions, gcpCredentials } from './credentials.ts';
import { gcpFlags } from './flags.ts';
import { gcpInfrastructure } from './infrastructure.ts';
import { gcpPrivateLink } from './private-link.ts';
import { gcpProvider } from './provider.ts';
import { gcpMachines } from './machines.ts';

export const gcp: Platform = plainPlatform('GCP', {
  machines: gcpMachines,
  guest: gcpGuest,
  // Both kinds of access have a private endpoint.
  isPrivate: ({ spec }) => spec.platform.gcp !== undefined,
  traits: traits('GCP', {
    privateRouter: true,
    publishesOidcDocuments: true,
    privateConnectivity: {
      type: gcpPrivateServiceConnects,
      conditions: {
        GCPEndpointAvailable: 'GCPEndpointAvailable',
        GCPServiceAttachmentAvailable: 'GCPServiceAttachmentAvailable',
      },
      isExpected: () => true,
    },
  }),
  privateLink: gcpPrivateLink,
  infrastructure: gcpInfrastructure,
  provider: gcpProvider,
  credentials: gcpCredentials,
  credentialConditions: gcpCredentialConditions,
  cloudControllerManager: {
    component: 'gcp-cloud-controller-manager',
    image: 'gcp-cloud-controller-manager',
    cloudProvider: 'gce',
    credentials: () => 'cloud-controller-manager-creds',
    tokenServiceAccount: { namespace: 'kube-system', name: 'cloud-controller-manager' },
  },
  cloudProviderConfig: ({ spec }) => {
    const { project, networkConfig } = settingsOf(spec.platform, 'gcp');
    const lines = [
      '[Global]',
      `project-id = ${project}`,
      `network-name = ${networkConfig.network.name}`,
      // Firewall rules find the nodes by this tag, and tags are lower case in Google Cloud.
      `node-tags = ${`${spec.infraID}-worker`.toLowerCase()}`,
      'multizone = true',
      'token-url = "nil"',
    ];
    return [{ name: 'gcp-cloud-config', kind: 'ConfigMap', data: { 'cloud.conf': lines.join('\n') } }];
  },
  flags: gcpFlags,
});
