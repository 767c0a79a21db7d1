/** The platform of a hosted cluster: its type and that type’s settings. */
import { enumOf, gated, object } from '../schema/index.ts';
import { awsPlatform, awsPlatformStatus } from './aws.ts';
import { azurePlatform } from './azure.ts';
import { gcpPlatform } from './gcp.ts';
import { kubevirtPlatform } from './kubevirt.ts';
import { openStackPlatform } from './openstack.ts';
import { agentPlatform, ibmCloudPlatform } from './other.ts';
import { powerVSPlatform } from './powervs.ts';

export const hostedClusterPlatform = object({
  type: enumOf(
    [
      'AWS',
      'Azure',
      'IBMCloud',
      'KubeVirt',
      'Agent',
      'PowerVS',
      'None',
      gated('OpenStack', 'OpenStack'),
      gated('GCPPlatform', 'GCP'),
    ],
    { maxLength: 100 },
  )
    .describe(
      'Cloud or technique the nodes live on; the member of that name should be set,',
      'which only the controller checks. `None` makes no nodes at all.',
    )
    .immutable('Type is immutable'),
  agent: agentPlatform.optional(),
  aws: awsPlatform.optional(),
  azure: azurePlatform.optional(),
  gcp: gcpPlatform.optional().gate('GCPPlatform'),
  ibmcloud: ibmCloudPlatform.optional(),
  kubevirt: kubevirtPlatform.optional(),
  openstack: openStackPlatform.optional().gate('OpenStack'),
  powervs: powerVSPlatform.optional(),
}).describe('Where the nodes of the cluster live.');

export const hostedClusterPlatformStatus = object({
  aws: awsPlatformStatus.optional(),
}).describe('What is known about the platform.');
