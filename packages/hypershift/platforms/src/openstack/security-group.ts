interface Rule {
  readonly name: string;
  readonly protocol: string;
  readonly portRangeMin?: number;
  readonly portRangeMax?: number;
}

const all = (name: string, protocol: string): Rule => ({ name, protocol });
const port = (name: string, protocol: string, min: number, max = min): Rule => ({
  name,
  protocol,
  portRangeMin: min,
  portRangeMax: max,
});

/** Open to machines of the cluster only. */
const fromMachines: readonly Rule[] = [
  all('esp-ingress', 'esp'),
  all('icmp-ingress', 'icmp'),
  port('router-ingress', 'tcp', 1936),
  port('ssh-ingress', 'tcp', 22),
  all('vrrp-ingress', 'vrrp'),
];

/** Open to all. */
const fromAnywhere: readonly Rule[] = [
  port('http-ingress', 'tcp', 80),
  port('https-ingress', 'tcp', 443),
  port('geneve-ingress', 'udp', 6081),
  port('ike-ingress', 'udp', 500),
  port('ike-nat-ingress', 'udp', 4500),
  port('internal-ingress-tcp', 'tcp', 9000, 9999),
  port('internal-ingress-udp', 'udp', 9000, 9999),
  port('vxlan-ingress', 'udp', 4789),
];

/** The rules of the security group of the nodes. */
export function workerSecurityGroupRules(machineCIDRs: readonly string[]): readonly object[] {
  const rule = (remoteIPPrefix: string) => (own: Rule) => ({
    ...own,
    remoteIPPrefix,
    description: 'Managed by the Hypershift Control Plane Operator',
    direction: 'ingress',
    etherType: 'IPv4',
  });
  return [...machineCIDRs.flatMap((cidr) => fromMachines.map(rule(cidr))), ...fromAnywhere.map(rule('0.0.0.0/0'))];
}
