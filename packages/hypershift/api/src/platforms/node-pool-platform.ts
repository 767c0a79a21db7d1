/** The platform of a node pool: its type and that type’s settings. */
import { enumOf, gated, object } from '../schema/index.ts';
import { awsNodePoolPlatform } from './aws-node-pool.ts';
import { azureNodePoolPlatform } from './azure-node-pool.ts';
import { gcpNodePoolPlatform } from './gcp-node-pool.ts';
import { kubevirtNodePoolPlatform, kubevirtNodePoolStatus } from './kubevirt-node-pool.ts';
import { openStackNodePoolPlatform } from './openstack-node-pool.ts';
import { agentNodePoolPlatform, ibmCloudPlatform } from './other.ts';
import { powerVSNodePoolPlatform } from './powervs.ts';

export const nodePoolPlatform = object({
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
    .describe('Cloud or technique of the nodes; must be that of the cluster.')
    .immutable('Type is immutable'),
  agent: agentNodePoolPlatform.optional(),
  aws: awsNodePoolPlatform.optional(),
  azure: azureNodePoolPlatform.optional(),
  gcp: gcpNodePoolPlatform.optional().gate('GCPPlatform'),
  ibmcloud: ibmCloudPlatform.optional(),
  kubevirt: kubevirtNodePoolPlatform.optional(),
  openstack: openStackNodePoolPlatform.optional().gate('OpenStack'),
  powervs: powerVSNodePoolPlatform.optional(),
}).describe('Where and on what the nodes run.');

export const nodePoolPlatformStatus = object({
  kubeVirt: kubevirtNodePoolStatus.optional(),
}).describe('What is known about the platform.');
