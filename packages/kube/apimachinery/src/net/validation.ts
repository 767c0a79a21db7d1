import { formatCIDR, isMaskedCIDR, maskedCIDR, parseCIDR } from './cidr.ts';
import { isIPv4Mapped, parseIP } from './ip.ts';

/** What is wrong with an IP address in a new field, in upstream's words. */
export function isValidIP(text: string): readonly string[] {
  const address = parseIP(text);
  if (address === undefined) {
    if (/^[0-9.]+$/.test(text) && /(^|\.)0[0-9]/.test(text)) return ['must not have leading 0s'];
    return ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)'];
  }
  return isIPv4Mapped(address) ? ['must not be an IPv4-mapped IPv6 address'] : [];
}

/** What is wrong with an address block in a new field, in upstream's words. */
export function isValidCIDR(text: string): readonly string[] {
  const cidr = parseCIDR(text);
  if (cidr === undefined) return ['must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)'];
  return [
    ...(isIPv4Mapped(cidr.address) ? ['must not be an IPv4-mapped IPv6 address'] : []),
    ...(isMaskedCIDR(cidr)
      ? []
      : [`must not have bits set beyond the prefix length (e.g., "${formatCIDR(maskedCIDR(cidr))}")`]),
  ];
}
