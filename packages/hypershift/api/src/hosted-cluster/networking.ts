/** Address ranges and the network type of a hosted cluster. */
import { enumOf, int32, list, object, raw, string } from '../schema/index.ts';

export const cidr = string({ maxLength: 43 }).rule(
  raw`self.matches('^((\\d{1,3}\\.){3}\\d{1,3}/\\d{1,2})$') || self.matches('^([0-9a-fA-F]{0,4}:){2,7}([0-9a-fA-F]{0,4})?/[0-9]{1,3}$')`,
  'cidr must be a valid IPv4 or IPv6 CIDR notation (e.g., 192.168.1.0/24 or 2001:db8::/64)',
);

export const apiServerNetworking = object({
  advertiseAddress: string({ maxLength: 255 }).optional().immutable('advertiseAddress is immutable'),
  allowedCIDRBlocks: list(cidr, { type: 'set', maxItems: 500 }).optional(),
  port: int32().optional().immutable('port is immutable'),
});

export const clusterNetworkEntry = object({
  cidr,
  hostPrefix: int32().optional(),
});

export const networking = object({
  allocateNodeCIDRs: enumOf(['Enabled', 'Disabled'])
    .optional()
    .immutable('allocateNodeCIDRs is immutable and cannot be modified once set.'),
  apiServer: apiServerNetworking.optional(),
  clusterNetwork: list(clusterNetworkEntry, { minItems: 1, maxItems: 2 })
    .optional()
    .default([{ cidr: '10.132.0.0/14' }])
    .immutable('clusterNetwork is immutable and cannot be modified once set.'),
  machineNetwork: list(
    object({
      cidr,
    }),
    { minItems: 1, maxItems: 2 },
  )
    .optional()
    .immutable('machineNetwork is immutable and cannot be modified once set.'),
  networkType: enumOf(['OpenShiftSDN', 'Calico', 'OVNKubernetes', 'Other']).optional().default('OVNKubernetes'),
  serviceNetwork: list(
    object({
      cidr,
    }),
    { minItems: 1, maxItems: 2 },
  )
    .optional()
    .default([{ cidr: '172.31.0.0/16' }])
    .immutable('serviceNetwork is immutable and cannot be modified once set.'),
})
  .rule(
    '(!has(self.machineNetwork) && self.clusterNetwork.all(c, self.serviceNetwork.all(s, c.cidr != s.cidr)) || (has(self.machineNetwork) && (self.machineNetwork.all(m, self.clusterNetwork.all(c, m.cidr != c.cidr)) && self.machineNetwork.all(m, self.serviceNetwork.all(s, m.cidr != s.cidr)) && self.clusterNetwork.all(c, self.serviceNetwork.all(s, c.cidr != s.cidr)))))',
    'CIDR ranges in machineNetwork, clusterNetwork, and serviceNetwork must be unique and non-overlapping',
  )
  .rule(
    "has(self.allocateNodeCIDRs) && self.allocateNodeCIDRs == 'Enabled' ? self.networkType == 'Other' : true",
    "allocateNodeCIDRs can only be set to Enabled when networkType is 'Other'",
  );
