/** Private access to a control plane on Google Cloud. */
import { condition } from '../common/conditions.ts';
import { gcpNameFormat } from '../platforms/gcp.ts';
import { defineKind, list, object, resourceOf, string, type ManifestOf, type ObjectOf } from '../schema/index.ts';

export const gcpPrivateServiceConnectSpec = object({
  consumerAcceptList: list(
    string({ minLength: 1, maxLength: 30 }).rule(
      "self.matches('^([a-z][a-z0-9-]{4,28}[a-z0-9]|[0-9]{1,30})$')",
      'each entry must be a valid GCP project ID or project number',
    ),
    { type: 'set', minItems: 1, maxItems: 50 },
  ).describe('Projects that may connect, by name or number.'),
  loadBalancerIP: string({ minLength: 1, maxLength: 39 })
    .describe('Address of the internal load balancer in front of the control plane.')
    .rule('isIP(self)', 'loadBalancerIP must be a valid IPv4 or IPv6 address'),
  forwardingRuleName: string({ minLength: 1, maxLength: 63 })
    .optional()
    .describe('Forwarding rule of that load balancer; a controller looks it up by the address.')
    .check(gcpNameFormat),
  natSubnet: string({ minLength: 1, maxLength: 63 })
    .optional()
    .describe('Subnet the service attachment takes its NAT addresses from; filled in by a controller.')
    .check(gcpNameFormat),
}).describe('Load balancer and projects to connect.');

export const gcpPrivateServiceConnectDnsZone = object({
  name: string({ minLength: 1, maxLength: 253 }).describe('Name of the zone.'),
  records: list(string({ maxLength: 253 }), { type: 'atomic', minItems: 1, maxItems: 10 })
    .optional()
    .describe('Records made in the zone.'),
});

export const gcpPrivateServiceConnectStatus = object({
  conditions: list(condition, { type: 'map', keys: ['type'], minItems: 1, maxItems: 10 })
    .optional()
    .describe('Steps of making the connection, and whether all of it is available.'),
  dnsZones: list(gcpPrivateServiceConnectDnsZone, { type: 'atomic', minItems: 1, maxItems: 5 })
    .optional()
    .describe('Private zones made in the project of the cluster.'),
  endpointIP: string({ minLength: 3, maxLength: 39 })
    .optional()
    .describe('Address nodes use to reach the control plane.')
    .rule('isIP(self)', 'endpointIP must be a valid IPv4 or IPv6 address'),
  serviceAttachmentName: string({ maxLength: 63 })
    .optional()
    .describe('Service attachment in the project of the management cluster.'),
  serviceAttachmentURI: string({ maxLength: 2048 })
    .optional()
    .describe('Full name by which endpoints find the attachment.')
    .rule(
      "self.matches('^projects/[a-z][a-z0-9-]{4,28}[a-z0-9]/regions/[a-z]+-[a-z]+[0-9]+/serviceAttachments/[a-z]([-a-z0-9]*[a-z0-9])?$')",
      'serviceAttachmentURI must be in the format projects/{project}/regions/{region}/serviceAttachments/{name}',
    ),
}).describe('What was made on Google Cloud on both sides.');

export const gcpPrivateServiceConnect = defineKind({
  group: 'hypershift.openshift.io',
  version: 'v1beta1',
  kind: 'GCPPrivateServiceConnect',
  plural: 'gcpprivateserviceconnects',
  shortNames: ['gcppsc'],
  scope: 'Namespaced',
  gate: 'GCPPlatform',
  description:
    'Private connection between the nodes and the control plane through Private Service Connect. A controller makes it.',
  columns: [
    { name: 'Service Attachment', type: 'string', jsonPath: '.status.serviceAttachmentName' },
    { name: 'Endpoint IP', type: 'string', jsonPath: '.status.endpointIP' },
    { name: 'Available', type: 'string', jsonPath: '.status.conditions[?(@.type=="GCPEndpointAvailable")].status' },
    { name: 'Age', type: 'date', jsonPath: '.metadata.creationTimestamp' },
  ],
  statusSubresource: true,
  fields: {
    spec: gcpPrivateServiceConnectSpec.unenforced(),
    status: gcpPrivateServiceConnectStatus.optional(),
  },
});

/** A GCPPrivateServiceConnect as an API server hands it out: defaults are filled in. */
export type GCPPrivateServiceConnect = ObjectOf<typeof gcpPrivateServiceConnect>;

/** A GCPPrivateServiceConnect as a client may send it. */
export type GCPPrivateServiceConnectManifest = ManifestOf<typeof gcpPrivateServiceConnect>;

export const gcpPrivateServiceConnects = resourceOf(gcpPrivateServiceConnect);
