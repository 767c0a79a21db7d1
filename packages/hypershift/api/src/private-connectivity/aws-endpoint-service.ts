/** Private access to a control plane on AWS. */
import { condition } from '../common/conditions.ts';
import { awsResourceTagPair } from '../platforms/aws-node-pool.ts';
import { defineKind, list, object, resourceOf, string, type ManifestOf, type ObjectOf } from '../schema/index.ts';

export const awsEndpointServiceSpec = object({
  networkLoadBalancerName: string({ maxLength: 255 }),
  resourceTags: list(awsResourceTagPair, { maxItems: 25 }).optional(),
  subnetIDs: list(string({ maxLength: 63 }), { maxItems: 10 }).optional(),
});

export const awsEndpointServiceStatus = object({
  conditions: list(condition, { type: 'map', keys: ['type'], maxItems: 10 }).optional(),
  dnsNames: list(string({ maxLength: 253 }), { maxItems: 10 }).optional(),
  dnsZoneID: string({ maxLength: 255 }).optional(),
  endpointID: string({ maxLength: 255 }).optional(),
  endpointServiceName: string({ maxLength: 255 }).optional(),
  securityGroupID: string({ maxLength: 255 }).optional(),
});

export const awsEndpointService = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'AWSEndpointService',
  plural: 'awsendpointservices',
  scope: 'Namespaced',
  description: '',
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
