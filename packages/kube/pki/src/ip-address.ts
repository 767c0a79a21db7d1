import { bitsOf, formatIP, parseIP } from '@hypershift-ts/kube-apimachinery';

/** The 4 or 16 network-order bytes of an address, or undefined when the text is not one. */
export function ipBytes(address: string): Buffer | undefined {
  const parsed = parseIP(address);
  if (parsed === undefined) return undefined;
  return Buffer.from(parsed.value.toString(16).padStart(bitsOf(parsed.family) / 4, '0'), 'hex');
}

/** The text of 4 or 16 address bytes; IPv6 in its shortest form. */
export function ipText(bytes: Uint8Array): string | undefined {
  if (bytes.length !== 4 && bytes.length !== 16) return undefined;
  return formatIP({
    family: bytes.length === 4 ? 4 : 6,
    value: BigInt(`0x${Buffer.from(bytes).toString('hex')}`),
  });
}
