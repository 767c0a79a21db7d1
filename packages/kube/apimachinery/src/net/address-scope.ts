import type { IPAddress } from './ip.ts';
import { bitsOf } from './ip.ts';

/** Whether the first `length` bits of an address are those of `prefix`. */
function startsWith({ family, value }: IPAddress, prefix: bigint, length: number): boolean {
  return value >> BigInt(bitsOf(family) - length) === prefix;
}

export function isUnspecifiedIP({ value }: IPAddress): boolean {
  return value === 0n;
}

export function isLoopbackIP(address: IPAddress): boolean {
  return address.family === 4 ? startsWith(address, 127n, 8) : address.value === 1n;
}

export function isLinkLocalUnicastIP(address: IPAddress): boolean {
  return address.family === 4 ? startsWith(address, 0xa9fen, 16) : startsWith(address, 0x3fan, 10);
}

export function isMulticastIP(address: IPAddress): boolean {
  return address.family === 4 ? startsWith(address, 0xen, 4) : startsWith(address, 0xffn, 8);
}

export function isLinkLocalMulticastIP(address: IPAddress): boolean {
  if (address.family === 4) return startsWith(address, 0xe00000n, 24);
  // The flags between the prefix and the scope may be anything.
  return ((address.value >> 112n) & 0xff0fn) === 0xff02n;
}

/** Everything that is none of the others, private networks included. */
export function isGlobalUnicastIP(address: IPAddress): boolean {
  if (address.family === 4 && address.value === 0xffffffffn) return false;
  return (
    !isUnspecifiedIP(address) && !isLoopbackIP(address) && !isMulticastIP(address) && !isLinkLocalUnicastIP(address)
  );
}
