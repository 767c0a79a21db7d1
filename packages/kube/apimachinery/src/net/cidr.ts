import type { IPAddress } from './ip.ts';
import { bitsOf, formatIP, parseIP } from './ip.ts';

/** A block of addresses. `address` may have bits set beyond the prefix, as an interface address has. */
export interface CIDR {
  readonly address: IPAddress;
  /** Length of the prefix in bits. */
  readonly bits: number;
}

const hostMask = ({ address, bits }: CIDR): bigint => (1n << BigInt(bitsOf(address.family) - bits)) - 1n;

/** Parses `10.0.0.0/8` strictly. */
export function parseCIDR(text: string): CIDR | undefined {
  const slash = text.lastIndexOf('/');
  if (slash < 0) return undefined;
  const address = parseIP(text.slice(0, slash));
  const bitsText = text.slice(slash + 1);
  if (address === undefined || !/^(0|[1-9][0-9]{0,2})$/.test(bitsText)) return undefined;
  const bits = Number(bitsText);
  return bits > bitsOf(address.family) ? undefined : { address, bits };
}

export function formatCIDR({ address, bits }: CIDR): string {
  return `${formatIP(address)}/${bits}`;
}

/** The first address of the block: the network itself. */
export function firstAddress(cidr: CIDR): IPAddress {
  const { family, value } = cidr.address;
  return { family, value: value & ~hostMask(cidr) };
}

export function lastAddress(cidr: CIDR): IPAddress {
  const { family, value } = cidr.address;
  return { family, value: value | hostMask(cidr) };
}

/** The same block without bits beyond the prefix. */
export function maskedCIDR(cidr: CIDR): CIDR {
  return { address: firstAddress(cidr), bits: cidr.bits };
}

export function isMaskedCIDR(cidr: CIDR): boolean {
  return (cidr.address.value & hostMask(cidr)) === 0n;
}

/** How many addresses the block has. */
export function cidrSize(cidr: CIDR): bigint {
  return hostMask(cidr) + 1n;
}

export function cidrContains(cidr: CIDR, address: IPAddress): boolean {
  if (cidr.address.family !== address.family) return false;
  const shift = BigInt(bitsOf(address.family) - cidr.bits);
  return cidr.address.value >> shift === address.value >> shift;
}

export function cidrContainsCIDR(outer: CIDR, inner: CIDR): boolean {
  return outer.bits <= inner.bits && cidrContains(outer, inner.address);
}

export function cidrsOverlap(a: CIDR, b: CIDR): boolean {
  return cidrContainsCIDR(a, b) || cidrContainsCIDR(b, a);
}

/** The address at a position counted from the start of the block, or undefined beyond its end. */
export function addressAt(cidr: CIDR, index: bigint): IPAddress | undefined {
  if (index < 0n || index >= cidrSize(cidr)) return undefined;
  const { family, value } = firstAddress(cidr);
  return { family, value: value + index };
}

/** Where an address stands in the block, or undefined when it is outside. */
export function indexOfAddress(cidr: CIDR, address: IPAddress): bigint | undefined {
  return cidrContains(cidr, address) ? address.value - firstAddress(cidr).value : undefined;
}

/** The addresses of a block in order, one at a time. */
export function* addressesOf(cidr: CIDR, from = 0n): Generator<IPAddress> {
  const { family, value } = firstAddress(cidr);
  const size = cidrSize(cidr);
  for (let index = from; index < size; index++) yield { family, value: value + index };
}

/**
 * The positions from which cluster IPs are handed out: neither the network address nor, for IPv4, the broadcast
 * address. Blocks larger than 2^20 addresses are used up to that size.
 */
export function serviceRange(cidr: CIDR): { readonly first: bigint; readonly count: bigint } {
  const size = cidrSize(cidr);
  const reserved = cidr.address.family === 4 ? 2n : 1n;
  const usable = size > reserved ? size - reserved : 0n;
  const limit = 1n << 20n;
  return { first: 1n, count: usable > limit ? limit : usable };
}

/** The address that the API server's own Service has in a service range: the first one after the network's. */
export function apiServiceAddress(range: string): string {
  const cidr = parseCIDR(range);
  const address = cidr && addressAt(cidr, 1n);
  if (!address) throw new Error(`${JSON.stringify(range)} is not a range of addresses for services`);
  return formatIP(address);
}
