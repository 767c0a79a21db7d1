import { isIPv4 } from 'node:net';

/** The tenth address of the service network, where the cluster's DNS answers. */
export function clusterDnsAddress(serviceNetwork: string): string {
  const [network = ''] = serviceNetwork.split('/');
  if (isIPv4(network)) {
    const number = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0) + 10;
    return [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
  }
  // An IPv6 service network ends in zeros, so the tenth address only fills the last group.
  return network.endsWith('::')
    ? `${network}a`
    : network.replace(/[0-9a-fA-F]+$/, (last) => (Number.parseInt(last, 16) + 10).toString(16));
}

export function ipFamilyOf(serviceNetworks: readonly string[]): 'IPv4' | 'IPv6' | 'DualStack' {
  const families = new Set(serviceNetworks.map((network) => (network.includes(':') ? 'IPv6' : 'IPv4')));
  if (families.size > 1) return 'DualStack';
  return families.has('IPv6') ? 'IPv6' : 'IPv4';
}
