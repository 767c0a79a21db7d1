/** Private access to a control plane on AWS. */
import { condition } from '../common/conditions.ts';
import { awsResourceTagPair } from '../platforms/aws-node-pool.ts';
import { defineKind, list, object, resourceOf, string, type ManifestOf, type ObjectOf } from '../schema/index.ts';

export const awsEndpointServiceSpec = object({
  networkLoadBalancerName: string({ maxLength: 255 }).describe(
    'Network load balancer that the endpoint service puts in front of the control plane.',
  ),
  resourceTags: list(awsResourceTagPair, { maxItems: 25 }).optional().describe('Tags for the endpoint.'),
  subnetIDs: list(string({ maxLength: 63 }), { maxItems: 10 })
    .optional()
    .describe('Subnets of the nodes the endpoint is attached to.'),
}).describe('Load balancer and subnets to connect.');

export const awsEndpointServiceStatus = object({
  conditions: list(condition, { type: 'map', keys: ['type'], maxItems: 10 })
    .optional()
    .describe('Whether service and endpoint are available.'),
  dnsNames: list(string({ maxLength: 253 }), { maxItems: 10 })
    .optional()
    .describe('DNS names that lead to the endpoint.'),
  dnsZoneID: string({ maxLength: 255 }).optional().describe('Private zone the names are in.'),
  endpointID: string({ maxLength: 255 }).optional().describe('Endpoint in the VPC of the cluster.'),
  endpointServiceName: string({ maxLength: 255 }).optional().describe('Name by which endpoints find the service.'),
  securityGroupID: string({ maxLength: 255 }).optional().describe('Security group of the endpoint.'),
}).describe('What was made on AWS on both sides.');

export const awsEndpointService = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'AWSEndpointService',
  plural: 'awsendpointservices',
  scope: 'Namespaced',
  description:
    'Private connection between the nodes and the control plane through AWS PrivateLink. A controller makes it.',
  statusSubresource: true,
  fields: {
    spec: awsEndpointServiceSpec.unenforced(),
    status: awsEndpointServiceStatus.optional(),
  },
});

/** An AWSEndpointService as an API server hands it out: defaults are filled in. */
export type AWSEndpointService = ObjectOf<typeof awsEndpointService>;

/** An AWSEndpointService as a client may send it. */
export type AWSEndpointServiceManifest = ManifestOf<typeof awsEndpointService>;

export const awsEndpointServices = resourceOf(awsEndpointService);
