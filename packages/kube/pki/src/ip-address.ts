import { isIP, isIPv4 } from 'node:net';

/** The 4 or 16 network-order bytes of an address, or undefined when the text is not one. */
export function ipBytes(address: string): Buffer | undefined {
  const family = isIP(address);
  if (family === 0 || address.includes('%')) return undefined;
  if (family === 4) return Buffer.from(address.split('.').map(Number));
  // An IPv4 tail (::ffff:10.0.0.1) is two more groups.
  const lastColon = address.lastIndexOf(':');
  const tail = address.slice(lastColon + 1);
  const normal = isIPv4(tail)
    ? `${address.slice(0, lastColon + 1)}${Buffer.from(tail.split('.').map(Number))
        .toString('hex')
        .replace(/^(.{4})/, '$1:')}`
    : address;
  const [head = '', rest] = normal.split('::');
  const groups = (part: string) => (part === '' ? [] : part.split(':').map((group) => Number.parseInt(group, 16)));
  const left = groups(head);
  const right = rest === undefined ? [] : groups(rest);
  const zeros = Array.from({ length: 8 - left.length - right.length }, () => 0);
  const bytes = Buffer.alloc(16);
  [...left, ...(rest === undefined ? [] : zeros), ...right].forEach((group, i) => bytes.writeUInt16BE(group, i * 2));
  return bytes;
}

/** The text of 4 or 16 address bytes; IPv6 in its shortest form. */
export function ipText(bytes: Uint8Array): string | undefined {
  if (bytes.length === 4) return bytes.join('.');
  if (bytes.length !== 16) return undefined;
  const groups = Array.from({ length: 8 }, (_, i) => ((bytes[i * 2] ?? 0) << 8) | (bytes[i * 2 + 1] ?? 0));
  let best = { start: -1, length: 1 };
  for (let i = 0; i < 8; i++) {
    let length = 0;
    while (i + length < 8 && groups[i + length] === 0) length++;
    if (length > best.length) best = { start: i, length };
  }
  const hex = (part: number[]) => part.map((group) => group.toString(16)).join(':');
  if (best.start < 0) return hex(groups);
  return `${hex(groups.slice(0, best.start))}::${hex(groups.slice(best.start + best.length))}`;
}
