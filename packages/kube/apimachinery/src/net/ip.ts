/** An IP address without zone. IPv4-mapped IPv6 addresses stay IPv6, as Go's netip keeps them. */
export interface IPAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** How long an address is. */
export const bitsOf = (family: 4 | 6): 32 | 128 => (family === 4 ? 32 : 128);

function parseV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    // A leading zero once meant octal to some, so nobody may write one.
    if (!/^(0|[1-9][0-9]{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function groupsOf(text: string): number[] | undefined {
  if (text === '') return [];
  const groups: number[] = [];
  const parts = text.split(':');
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i] as string;
    if (part.includes('.')) {
      const v4 = i === parts.length - 1 ? parseV4(part) : undefined;
      if (v4 === undefined) return undefined;
      groups.push(Number(v4 >> 16n), Number(v4 & 0xffffn));
    } else if (/^[0-9a-fA-F]{1,4}$/.test(part)) groups.push(Number.parseInt(part, 16));
    else return undefined;
  }
  return groups;
}

function parseV6(text: string): bigint | undefined {
  const gap = text.indexOf('::');
  if (gap >= 0 && text.includes('::', gap + 1)) return undefined;
  const head = groupsOf(gap < 0 ? text : text.slice(0, gap));
  const tail = gap < 0 ? [] : groupsOf(text.slice(gap + 2));
  if (head === undefined || tail === undefined) return undefined;
  // A dotted quad may stand only at the very end.
  if (gap >= 0 && text.slice(0, gap).includes('.')) return undefined;
  const missing = 8 - head.length - tail.length;
  if (gap < 0 ? missing !== 0 : missing < 1) return undefined;
  let value = 0n;
  for (const group of [...head, ...Array<number>(missing).fill(0), ...tail]) value = (value << 16n) | BigInt(group);
  return value;
}

/** Parses an address strictly: no leading zeros, no zone, nothing around it. */
export function parseIP(text: string): IPAddress | undefined {
  if (text.length > 45) return undefined;
  const family = text.includes(':') ? 6 : 4;
  const value = family === 6 ? parseV6(text) : parseV4(text);
  return value === undefined ? undefined : { family, value };
}

/** True for `::ffff:1.2.3.4`, which Kubernetes refuses in new fields. */
export function isIPv4Mapped({ family, value }: IPAddress): boolean {
  return family === 6 && value >> 32n === 0xffffn;
}

function formatV4(value: bigint): string {
  const number = Number(value);
  return `${number >>> 24}.${(number >>> 16) & 255}.${(number >>> 8) & 255}.${number & 255}`;
}

function longestZeroRun(groups: readonly number[]): { start: number; length: number } {
  let best = { start: -1, length: 1 };
  for (let i = 0; i < groups.length; i++) {
    let end = i;
    while (end < groups.length && groups[end] === 0) end++;
    if (end - i > best.length) best = { start: i, length: end - i };
    if (end > i) i = end;
  }
  return best;
}

/** The canonical text of an address (RFC 5952). */
export function formatIP(address: IPAddress): string {
  const { family, value } = address;
  if (family === 4) return formatV4(value);
  if (isIPv4Mapped(address)) return `::ffff:${formatV4(value & 0xffffffffn)}`;
  const groups = Array.from({ length: 8 }, (_, i) => Number((value >> BigInt(112 - 16 * i)) & 0xffffn));
  const { start, length } = longestZeroRun(groups);
  const shown = (part: readonly number[]) => part.map((group) => group.toString(16)).join(':');
  return start < 0 ? shown(groups) : `${shown(groups.slice(0, start))}::${shown(groups.slice(start + length))}`;
}

/** Orders addresses: IPv4 before IPv6, then by value. */
export function compareIPs(a: IPAddress, b: IPAddress): -1 | 0 | 1 {
  if (a.family !== b.family) return a.family < b.family ? -1 : 1;
  return a.value === b.value ? 0 : a.value < b.value ? -1 : 1;
}

/** The address `step` further on, or undefined beyond the last one. */
export function nextIP({ family, value }: IPAddress, step = 1n): IPAddress | undefined {
  const next = value + step;
  return next < 0n || next >> BigInt(bitsOf(family)) > 0n ? undefined : { family, value: next };
}
