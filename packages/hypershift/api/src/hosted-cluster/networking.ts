/** Address ranges and the network type of a hosted cluster. */
import { enumOf, int32, list, object, raw, string } from '../schema/index.ts';

export const cidr = string({ maxLength: 43 })
  .describe('Address range in CIDR notation, IPv4 or IPv6.')
  .rule(
    raw`self.matches('^((\\d{1,3}\\.){3}\\d{1,3}/\\d{1,2})$') || self.matches('^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?/[0-9]{1,3}$')`,
    'cidr must be a valid IPv4 or IPv6 CIDR notation (e.g., 192.168.1.0/24 or 2001:db8::/64)',
  );

export const apiServerNetworking = object({
  advertiseAddress: string({ maxLength: 255 })
    .optional()
    .describe(
      'Address at which pods reach the API server through the proxy on each node. Absent means 172.20.0.1,',
      'or fd00::1 on IPv6; it must lie outside all cluster networks.',
    )
    .immutable('advertiseAddress is immutable'),
  allowedCIDRBlocks: list(cidr, { type: 'set', maxItems: 500 })
    .optional()
    .describe(
      'Source ranges that may open connections to a published API server; empty allows everybody.',
      'Without effect where load balancers of the platform cannot filter by source;',
      'remember the ranges your nodes come from.',
    ),
  port: int32()
    .optional()
    .describe(
      'Port on every node at which pods reach the API server,',
      'so pods on the host network cannot use it themselves; absent means 6443.',
    )
    .immutable('port is immutable'),
}).describe('Where pods find the API server and who may reach it from outside.');

export const clusterNetworkEntry = object({
  cidr,
  hostPrefix: int32()
    .optional()
    .describe(
      'Prefix length of the piece of this range every node gets, for example 23;',
      'absent leaves it to the network plugin.',
    ),
});

export const networking = object({
  allocateNodeCIDRs: enumOf(['Enabled', 'Disabled'])
    .optional()
    .describe(
      'Whether the kube-controller-manager hands each node a pod range;',
      'only a network plugin of type `Other` may ask for it. Absent means `Disabled`.',
    )
    .immutable('allocateNodeCIDRs is immutable and cannot be modified once set.'),
  apiServer: apiServerNetworking.optional(),
  clusterNetwork: list(clusterNetworkEntry, { minItems: 1, maxItems: 2 })
    .optional()
    .default([{ cidr: '10.132.0.0/14' }])
    .describe('Ranges pods get addresses from; one per IP family, fixed at creation.')
    .immutable('clusterNetwork is immutable and cannot be modified once set.'),
  machineNetwork: list(
    object({
      cidr,
    }),
    { minItems: 1, maxItems: 2 },
  )
    .optional()
    .describe('Ranges the nodes live in; one per IP family, fixed at creation.')
    .immutable('machineNetwork is immutable and cannot be modified once set.'),
  networkType: enumOf(['OpenShiftSDN', 'Calico', 'OVNKubernetes', 'Other'])
    .optional()
    .default('OVNKubernetes')
    .describe(
      'Network plugin of the cluster; `Other` means that you install one yourself. Choose at creation:',
      'changing it later is not refused but not supported either.',
    ),
  serviceNetwork: list(
    object({
      cidr,
    }),
    { minItems: 1, maxItems: 2 },
  )
    .optional()
    .default([{ cidr: '172.31.0.0/16' }])
    .describe('Ranges Services get their cluster addresses from; one per IP family, fixed at creation.')
    .immutable('serviceNetwork is immutable and cannot be modified once set.'),
})
  .describe('Address ranges and network plugin of the hosted cluster; ranges must not overlap.')
  .rule(
    '(!has(self.machineNetwork) && self.clusterNetwork.all(c, self.serviceNetwork.all(s, c.cidr != s.cidr)) || (has(self.machineNetwork) && (self.machineNetwork.all(m, self.clusterNetwork.all(c, m.cidr != c.cidr)) && self.machineNetwork.all(m, self.serviceNetwork.all(s, m.cidr != s.cidr)) && self.clusterNetwork.all(c, self.serviceNetwork.all(s, c.cidr != s.cidr)))))',
    'CIDR ranges in machineNetwork, clusterNetwork, and serviceNetwork must be unique and non-overlapping',
  )
  .rule(
    "has(self.allocateNodeCIDRs) && self.allocateNodeCIDRs == 'Enabled' ? self.networkType == 'Other' : true",
    "allocateNodeCIDRs can only be set to Enabled when networkType is 'Other'",
  );
