/** How the default ingress of the hosted cluster is reached. */
import { enumOf, int32, list, object, raw, string } from '../schema/index.ts';

export const ingressHostNetwork = object({
  httpPort: int32({ minimum: 0, maximum: 65535 }).optional().default(80).describe('Node port for plain HTTP.'),
  httpsPort: int32({ minimum: 0, maximum: 65535 }).optional().default(443).describe('Node port for HTTPS.'),
  protocol: enumOf(['', 'TCP', 'PROXY'])
    .optional()
    .describe(
      'Whether a load balancer in front speaks plain TCP or the PROXY protocol,',
      'which preserves client addresses; both sides must agree. Empty means TCP.',
    ),
  statsPort: int32({ minimum: 0, maximum: 65535 })
    .optional()
    .default(1936)
    .describe('Node port for health checks and router statistics.'),
}).describe('Ports the router opens on its nodes.');

export const awsLoadBalancerSubnets = object({
  ids: list(string({ minLength: 24, maxLength: 24, pattern: '^subnet-[0-9A-Za-z]+$' }), {
    type: 'atomic',
    maxItems: 10,
  })
    .optional()
    .describe('Subnets by identifier.')
    .rule('self.all(x, self.exists_one(y, x == y))', 'subnet ids cannot contain duplicates'),
  names: list(
    string({ minLength: 1, maxLength: 256 })
      .rule("!self.contains(',')", 'subnet name cannot contain a comma')
      .rule("!self.startsWith('subnet-')", "subnet name cannot start with 'subnet-'"),
    { type: 'atomic', maxItems: 10 },
  )
    .optional()
    .describe('Subnets by the value of their `Name` tag.')
    .rule('self.all(x, self.exists_one(y, x == y))', 'subnet names cannot contain duplicates'),
})
  .describe('Subnets the load balancer is attached to; absent lets AWS find them by tags.')
  .rule(
    'has(self.ids) && has(self.names) ? size(self.ids + self.names) <= 10 : true',
    'the total number of subnets cannot exceed 10',
  )
  .rule(
    'has(self.ids) && self.ids.size() > 0 || has(self.names) && self.names.size() > 0',
    'must specify at least 1 subnet name or id',
  );

export const awsClassicLoadBalancer = object({
  connectionIdleTimeout: string({ format: 'duration' })
    .optional()
    .describe(
      'How long a connection may be silent before the load balancer closes it;',
      'zero or absent leaves the AWS default of 60 seconds.',
    ),
  subnets: awsLoadBalancerSubnets.optional(),
}).describe('Settings of a Classic Load Balancer.');

export const awsNetworkLoadBalancer = object({
  eipAllocations: list(
    string({ minLength: 26, maxLength: 26 })
      .rule("self.startsWith('eipalloc-')", "eipAllocations should start with 'eipalloc-'")
      .rule(
        'self.split("-", 2)[1].matches(\'[0-9a-fA-F]{17}$\')',
        "eipAllocations must be 'eipalloc-' followed by exactly 17 hexadecimal characters (0-9, a-f, A-F)",
      ),
    { type: 'atomic', maxItems: 10 },
  )
    .optional()
    .describe('Elastic IPs to use, one per subnet; only for an external load balancer.')
    .rule('self.all(x, self.exists_one(y, x == y))', 'eipAllocations cannot contain duplicates'),
  protocol: enumOf(['TCP', 'PROXY'])
    .optional()
    .describe('Whether the load balancer passes plain TCP or the PROXY protocol on to the router.'),
  subnets: awsLoadBalancerSubnets.optional(),
})
  .describe('Settings of a Network Load Balancer.')
  .rule(
    'has(self.subnets) && has(self.subnets.ids) && has(self.subnets.names) && has(self.eipAllocations) ? size(self.subnets.ids + self.subnets.names) == size(self.eipAllocations) : true',
    'number of subnets must be equal to number of eipAllocations',
  )
  .rule(
    'has(self.subnets) && has(self.subnets.ids) && !has(self.subnets.names) && has(self.eipAllocations) ? size(self.subnets.ids) == size(self.eipAllocations) : true',
    'number of subnets must be equal to number of eipAllocations',
  )
  .rule(
    'has(self.subnets) && has(self.subnets.names) && !has(self.subnets.ids) && has(self.eipAllocations) ? size(self.subnets.names) == size(self.eipAllocations) : true',
    'number of subnets must be equal to number of eipAllocations',
  );

export const awsLoadBalancerParameters = object({
  type: enumOf(['Classic', 'NLB']).describe('Generation of load balancer: `Classic` or Network (`NLB`).'),
  classicLoadBalancer: awsClassicLoadBalancer.optional(),
  networkLoadBalancer: awsNetworkLoadBalancer.optional(),
}).describe('Load balancer settings on AWS.');

export const loadBalancerProviderParameters = object({
  type: enumOf(['AWS', 'Azure', 'BareMetal', 'GCP', 'Nutanix', 'OpenStack', 'VSphere', 'IBM']).describe(
    'Platform the settings are for; must be that of the cluster.',
  ),
  aws: awsLoadBalancerParameters.optional(),
  gcp: object({
    clientAccess: enumOf(['Global', 'Local'])
      .optional()
      .describe('Whether clients of an internal load balancer may come from every region or only from its own.'),
  })
    .optional()
    .describe('Load balancer settings on Google Cloud.'),
  ibm: object({
    protocol: enumOf(['', 'TCP', 'PROXY'])
      .optional()
      .describe('Whether the load balancer passes plain TCP or the PROXY protocol on to the router; empty means TCP.'),
  })
    .optional()
    .describe('Load balancer settings on IBM Cloud.'),
  openstack: object({
    floatingIP: string()
      .optional()
      .describe('Existing floating IP to use; absent takes a new one. Only for an external load balancer.')
      .rule('isIP(self)', 'floatingIP must be a valid IPv4 or IPv6 address'),
  })
    .optional()
    .describe('Load balancer settings on OpenStack.'),
})
  .describe('Settings of the load balancer that only one platform knows.')
  .rule(
    "has(self.type) && self.type == 'OpenStack' ? true : !has(self.openstack)",
    'openstack is not permitted when type is not OpenStack',
  );

export const ingressLoadBalancer = object({
  dnsManagementPolicy: enumOf(['Managed', 'Unmanaged'])
    .default('Managed')
    .describe('Whether the ingress operator makes the DNS record of the load balancer or leaves it to you.'),
  scope: enumOf(['Internal', 'External']).describe(
    'Whether the load balancer is reachable from the internet or only inside the network.',
  ),
  allowedSourceRanges: list(
    string({
      pattern: raw`(^(([0-9]|[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])\.){3}([0-9]|[0-9][0-9]|1[0-9][0-9]|2[0-4][0-9]|25[0-5])/([0-9]|[12][0-9]|3[0-2])$)|(^s*((([0-9A-Fa-f]{1,4}:){7}([0-9A-Fa-f]{1,4}|:))|(([0-9A-Fa-f]{1,4}:){6}(:[0-9A-Fa-f]{1,4}|((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3})|:))|(([0-9A-Fa-f]{1,4}:){5}(((:[0-9A-Fa-f]{1,4}){1,2})|:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3})|:))|(([0-9A-Fa-f]{1,4}:){4}(((:[0-9A-Fa-f]{1,4}){1,3})|((:[0-9A-Fa-f]{1,4})?:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(([0-9A-Fa-f]{1,4}:){3}(((:[0-9A-Fa-f]{1,4}){1,4})|((:[0-9A-Fa-f]{1,4}){0,2}:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(([0-9A-Fa-f]{1,4}:){2}(((:[0-9A-Fa-f]{1,4}){1,5})|((:[0-9A-Fa-f]{1,4}){0,3}:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(([0-9A-Fa-f]{1,4}:){1}(((:[0-9A-Fa-f]{1,4}){1,6})|((:[0-9A-Fa-f]{1,4}){0,4}:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:))|(:(((:[0-9A-Fa-f]{1,4}){1,7})|((:[0-9A-Fa-f]{1,4}){0,5}:((25[0-5]|2[0-4]d|1dd|[1-9]?d)(.(25[0-5]|2[0-4]d|1dd|[1-9]?d)){3}))|:)))(%.+)?s*(\/(12[0-8]|1[0-1][0-9]|[1-9][0-9]|[0-9]))$)`,
    }),
    { type: 'atomic' },
  )
    .nullable()
    .optional()
    .describe('Source ranges the load balancer lets in; empty allows everybody.'),
  providerParameters: loadBalancerProviderParameters.optional(),
})
  .describe('Settings for publishing through a load balancer.')
  .rule(
    "!has(self.scope) || self.scope != 'Internal' || !has(self.providerParameters) || !has(self.providerParameters.aws) || !has(self.providerParameters.aws.networkLoadBalancer) || !has(self.providerParameters.aws.networkLoadBalancer.eipAllocations)",
    'eipAllocations are forbidden when the scope is Internal.',
  )
  .rule(
    '!has(self.scope) || self.scope != \'Internal\' || !has(self.providerParameters) || !has(self.providerParameters.openstack) || !has(self.providerParameters.openstack.floatingIP) || self.providerParameters.openstack.floatingIP == ""',
    'cannot specify a floating ip when scope is internal',
  );

export const ingressEndpointPublishing = object(
  {
    type: enumOf(['LoadBalancerService', 'HostNetwork', 'Private', 'NodePortService']).describe(
      'How the default router is published: load balancer, host ports, node ports, or not at all (`Private`).',
    ),
    hostNetwork: ingressHostNetwork.optional(),
    loadBalancer: ingressLoadBalancer.optional(),
    nodePort: object({
      protocol: enumOf(['', 'TCP', 'PROXY'])
        .optional()
        .describe('Whether an outside load balancer speaks plain TCP or the PROXY protocol; empty means TCP.'),
    })
      .optional()
      .describe('Settings for publishing through node ports.'),
    private: object({
      protocol: enumOf(['', 'TCP', 'PROXY'])
        .optional()
        .describe('Whether whatever stands in front speaks plain TCP or the PROXY protocol; empty means TCP.'),
    })
      .optional()
      .describe('Settings for a router that is not published.'),
  },
  { keepUnknown: true },
).describe('How the default router is reached; wins over the ingress annotations and the default of the platform.');
