/** How the endpoints of a control plane are published. */
import { enumOf, int32, object, raw, string } from '../schema/index.ts';

export const publishedHostname = object({
  hostname: string({ minLength: 1, maxLength: 253 })
    .optional()
    .describe('DNS name to publish under; absent lets the platform choose one. Two services must not share a name.')
    .rule(
      raw`self.matches('^(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}$')`,
      'hostname must be a valid domain name (e.g., example.com)',
    ),
});

export const nodePortPublishing = object({
  address: string({ minLength: 1, maxLength: 253 })
    .describe('Host name or address of management cluster nodes that clients connect to.')
    .rule(
      raw`self.matches('^(([a-zA-Z0-9][-a-zA-Z0-9]*\\.)+[a-zA-Z]{2,}|localhost)$') || self.matches('^((\\d{1,3}\\.){3}\\d{1,3})$') || self.matches('^(([0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,7}:|([0-9a-fA-F]{1,4}:){1,6}:[0-9a-fA-F]{1,4}|([0-9a-fA-F]{1,4}:){1,5}(:[0-9a-fA-F]{1,4}){1,2}|([0-9a-fA-F]{1,4}:){1,4}(:[0-9a-fA-F]{1,4}){1,3}|([0-9a-fA-F]{1,4}:){1,3}(:[0-9a-fA-F]{1,4}){1,4}|([0-9a-fA-F]{1,4}:){1,2}(:[0-9a-fA-F]{1,4}){1,5}|[0-9a-fA-F]{1,4}:((:[0-9a-fA-F]{1,4}){1,6})|:((:[0-9a-fA-F]{1,4}){1,7}|:))$')`,
      'address must be a valid hostname, IPv4, or IPv6 address',
    ),
  port: int32()
    .optional()
    .describe('Port to open on the nodes of the management cluster; absent or zero picks a free one.'),
}).describe('Settings for publishing through a port of the management cluster nodes.');

export const servicePublishingStrategy = object({
  type: enumOf(['LoadBalancer', 'NodePort', 'Route', 'None', 'S3']).describe(
    'Way the service becomes reachable from outside; `None` and `S3` publish nothing through the cluster.',
  ),
  loadBalancer: publishedHostname.optional().describe('DNS name of the load balancer; only with type `LoadBalancer`.'),
  nodePort: nodePortPublishing.optional(),
  route: publishedHostname.optional().describe('Host of the Route; only with type `Route`.'),
})
  .describe('How one service of the control plane becomes reachable.')
  .rule(
    "self.type == 'NodePort' ? has(self.nodePort) : !has(self.nodePort)",
    'nodePort is required when type is NodePort, and forbidden otherwise',
  )
  .rule(
    "self.type == 'Route' ? !has(self.nodePort) && !has(self.loadBalancer) : !has(self.route)",
    'only route is allowed when type is Route, and forbidden otherwise',
  )
  .rule(
    "self.type == 'LoadBalancer' ? !has(self.nodePort) && !has(self.route) : !has(self.loadBalancer)",
    'only loadBalancer is required when type is LoadBalancer, and forbidden otherwise',
  )
  .rule(
    "self.type == 'None' ? !has(self.nodePort) && !has(self.route) && !has(self.loadBalancer) : true",
    'None does not allowed any configuration for loadBalancer, nodePort, or route',
  )
  .rule(
    "self.type == 'S3' ? !has(self.nodePort) && !has(self.route) && !has(self.loadBalancer) : true",
    'S3 does not allowed any configuration for loadBalancer, nodePort, or route',
  );

export const servicePublishing = object({
  service: enumOf(['APIServer', 'OAuthServer', 'OIDC', 'Konnectivity', 'Ignition', 'OVNSbDb']).describe(
    'Service to publish; `OIDC` and `OVNSbDb` are accepted for old manifests and have no effect.',
  ),
  servicePublishingStrategy,
});
