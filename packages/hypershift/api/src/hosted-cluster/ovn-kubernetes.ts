/** Subnets OVN-Kubernetes uses for itself. */
import { int32, object, raw, string } from '../schema/index.ts';

export const ovnIpv4 = object(
  {
    internalJoinSubnet: string({ minLength: 9, maxLength: 18 })
      .optional()
      .describe(
        'Range for the links between node and distributed routers;',
        'must not be used anywhere the cluster talks to.',
      )
      .rule(
        raw`self.matches('^([0-9]{1,3}\\.){3}[0-9]{1,3}/([0-9]|[1-2][0-9]|3[0-2])$') && self.split('/')[0].split('.').all(oct, int(oct) >= 0 && int(oct) <= 255)`,
        'Subnet must be in a valid IPv4 CIDR format (e.g., 192.168.1.1/24)',
      )
      .rule(
        "self.matches('^.*/[0-9]+$') && int(self.split('/')[1]) <= 30",
        'subnet must be in the range /0 to /30 inclusive',
      )
      .rule(
        raw`self.matches('^[0-9]{1,3}\\..*') && int(self.split('/')[0].split('.')[0]) > 0`,
        'first IP address octet must not be 0',
      ),
    internalTransitSwitchSubnet: string({ minLength: 9, maxLength: 18 })
      .optional()
      .describe(
        'Range for the switch that joins the zones of the network;',
        'must not be used anywhere the cluster talks to.',
      )
      .rule(
        raw`self.matches('^([0-9]{1,3}\\.){3}[0-9]{1,3}/([0-9]|[1-2][0-9]|3[0-2])$') && self.split('/')[0].split('.').all(oct, int(oct) >= 0 && int(oct) <= 255)`,
        'Subnet must be in a valid IPv4 CIDR format',
      )
      .rule(
        "self.matches('^.*/[0-9]+$') && int(self.split('/')[1]) <= 30",
        'subnet must be in the range /0 to /30 inclusive',
      )
      .rule(
        raw`self.matches('^[0-9]{1,3}\\..*') && int(self.split('/')[0].split('.')[0]) > 0`,
        'first IP address octet must not be 0',
      ),
  },
  { minProperties: 1 },
).describe('IPv4 ranges OVN-Kubernetes uses for itself.');

export const ovnIpv6 = object(
  {
    internalJoinSubnet: string({ minLength: 3, maxLength: 48 })
      .optional()
      .describe('IPv6 range for the links between node and distributed routers; fixed once set.')
      .rule(
        'isCIDR(self) && cidr(self).ip().family() == 6',
        'Subnet must be in valid IPv6 CIDR format (e.g., fd98::/64)',
      )
      .rule('isCIDR(self) && cidr(self).prefixLength() <= 125', 'subnet must be in the range /0 to /125 inclusive')
      .immutable('internalJoinSubnet is immutable'),
    internalTransitSwitchSubnet: string({ minLength: 3, maxLength: 48 })
      .optional()
      .describe('IPv6 range for the switch that joins the zones of the network; fixed once set.')
      .rule(
        'isCIDR(self) && cidr(self).ip().family() == 6',
        'Subnet must be in valid IPv6 CIDR format (e.g., fd97::/64)',
      )
      .rule('isCIDR(self) && cidr(self).prefixLength() <= 125', 'subnet must be in the range /0 to /125 inclusive')
      .immutable('internalTransitSwitchSubnet is immutable'),
  },
  { minProperties: 1 },
).describe('IPv6 ranges OVN-Kubernetes uses for itself.');

export const ovnKubernetesConfig = object(
  {
    ipv4: ovnIpv4.optional(),
    ipv6: ovnIpv6.optional(),
    mtu: int32({ minimum: 576, maximum: 9216 })
      .optional()
      .describe(
        'Largest packet of the pod network in bytes;',
        'leave 100 bytes of what the nodes can send for the tunnel header. Absent works it out; fixed once set.',
      )
      .immutable('mtu is immutable once set'),
    v4InternalSubnet: string({ minLength: 9, maxLength: 18 })
      .optional()
      .describe(
        'IPv4 range OVN-Kubernetes uses inside; on KubeVirt absent means 100.66.0.0/16,',
        'so that it does not clash with the cluster below. Fixed once set.',
      )
      .immutable('v4InternalSubnet is immutable once set')
      .rule('isCIDR(self) && cidr(self).ip().family() == 4', 'Subnet must be in a valid IPv4 CIDR format')
      .rule('isCIDR(self) && cidr(self).prefixLength() <= 30', 'subnet must be in the range /0 to /30 inclusive')
      .rule(
        "isCIDR(self) && cidr(self).ip().family() == 4 && int(self.split('.')[0]) > 0",
        'first IP address octet must not be 0',
      ),
    v6InternalSubnet: string({ minLength: 4, maxLength: 48 })
      .optional()
      .describe('IPv6 range OVN-Kubernetes uses inside; fixed once set.')
      .immutable('v6InternalSubnet is immutable once set')
      .rule('isCIDR(self) && cidr(self).ip().family() == 6', 'Subnet must be in valid IPv6 CIDR format')
      .rule('isCIDR(self) && cidr(self).prefixLength() <= 125', 'subnet must be in the range /0 to /125 inclusive'),
  },
  { minProperties: 1 },
)
  .describe('Settings of OVN-Kubernetes; only for that network type, and never removable once given.')
  .rule(
    '!has(self.ipv4) || !has(self.ipv4.internalJoinSubnet) || !has(self.ipv4.internalTransitSwitchSubnet) || self.ipv4.internalJoinSubnet != self.ipv4.internalTransitSwitchSubnet',
    'internalJoinSubnet and internalTransitSwitchSubnet must not be the same',
  )
  .rule(
    '!has(self.ipv6) || !has(self.ipv6.internalJoinSubnet) || !has(self.ipv6.internalTransitSwitchSubnet) || self.ipv6.internalJoinSubnet != self.ipv6.internalTransitSwitchSubnet',
    'ipv6 internalJoinSubnet and internalTransitSwitchSubnet must not be the same',
  )
  .rule('!has(oldSelf.mtu) || has(self.mtu)', 'mtu is immutable once set and cannot be removed')
  .rule('!has(oldSelf.ipv6) || has(self.ipv6)', 'ipv6 is immutable once set and cannot be removed')
  .rule(
    '!has(oldSelf.ipv6) || !has(oldSelf.ipv6.internalJoinSubnet) || (has(self.ipv6) && has(self.ipv6.internalJoinSubnet))',
    'ipv6.internalJoinSubnet cannot be removed once set',
  )
  .rule(
    '!has(oldSelf.ipv6) || !has(oldSelf.ipv6.internalTransitSwitchSubnet) || (has(self.ipv6) && has(self.ipv6.internalTransitSwitchSubnet))',
    'ipv6.internalTransitSwitchSubnet cannot be removed once set',
  )
  .rule(
    '!has(oldSelf.v4InternalSubnet) || has(self.v4InternalSubnet)',
    'v4InternalSubnet is immutable once set and cannot be removed',
  )
  .rule(
    '!has(oldSelf.v6InternalSubnet) || has(self.v6InternalSubnet)',
    'v6InternalSubnet is immutable once set and cannot be removed',
  );
