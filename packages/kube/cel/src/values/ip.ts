import { OpaqueValue } from './value.ts';

/** Why a text is not an address, in Go's words. */
export class AddressFailure {
  readonly message: string;
  constructor(message: string) {
    this.message = message;
  }
}

/** An IPv4 or IPv6 address without zone. */
export class CelIp extends OpaqueValue {
  readonly typeName = 'net.IP';
  readonly version: 4 | 6;
  readonly value: bigint;

  constructor(version: 4 | 6, value: bigint) {
    super();
    this.version = version;
    this.value = value;
  }
  get width(): 32 | 128 {
    return this.version === 4 ? 32 : 128;
  }
  /** Size in bytes, as the cost model counts it. */
  get costSize(): number {
    return this.width / 8;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof CelIp && this.version === other.version && this.value === other.value;
  }
  /** Whether the first `length` bits are those of `prefix`. */
  startsWith(prefix: bigint, length: number): boolean {
    return this.value >> BigInt(this.width - length) === prefix;
  }
  get isUnspecified(): boolean {
    return this.value === 0n;
  }
  get isLoopback(): boolean {
    return this.version === 4 ? this.startsWith(127n, 8) : this.value === 1n;
  }
  get isLinkLocalUnicast(): boolean {
    return this.version === 4 ? this.startsWith(0xa9fen, 16) : this.startsWith(0x3fan, 10);
  }
  get isLinkLocalMulticast(): boolean {
    return this.version === 4 ? this.startsWith(0xe00000n, 24) : ((this.value >> 112n) & 0xff0fn) === 0xff02n;
  }
  get isMulticast(): boolean {
    return this.version === 4 ? this.startsWith(0xen, 4) : this.startsWith(0xffn, 8);
  }
  get isGlobalUnicast(): boolean {
    if (this.version === 4 && this.value === 0xffffffffn) return false;
    return !this.isUnspecified && !this.isLoopback && !this.isMulticast && !this.isLinkLocalUnicast;
  }
  override toString(): string {
    return this.version === 4 ? formatV4(this.value) : formatV6(this.value);
  }
}

/** A network: an address and how many leading bits count. */
export class CelCidr extends OpaqueValue {
  readonly typeName = 'net.CIDR';
  readonly ip: CelIp;
  readonly bits: number;

  constructor(ip: CelIp, bits: number) {
    super();
    this.ip = ip;
    this.bits = bits;
  }
  get costSize(): number {
    return Math.ceil(this.bits / 8);
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof CelCidr && this.bits === other.bits && this.ip.equals(other.ip);
  }
  contains(ip: CelIp): boolean {
    return ip.version === this.ip.version && ip.startsWith(this.ip.value >> BigInt(ip.width - this.bits), this.bits);
  }
  containsNetwork(other: CelCidr): boolean {
    return this.bits <= other.bits && this.contains(other.ip);
  }
  get masked(): CelCidr {
    const low = BigInt(this.ip.width - this.bits);
    return new CelCidr(new CelIp(this.ip.version, (this.ip.value >> low) << low), this.bits);
  }
  override toString(): string {
    return `${this.ip.toString()}/${this.bits}`;
  }
}

const LONGEST = 128;

/** Reads an address the way Go's netip does, but refuses zones and IPv4-mapped IPv6. */
export function parseIp(text: string): CelIp | AddressFailure {
  const value = text.length > LONGEST ? undefined : rawAddress(text);
  if (value === undefined) {
    return new AddressFailure(
      `IP Address ${JSON.stringify(text)} parse error during conversion from string: ParseAddr(${JSON.stringify(text)}): unable to parse IP`,
    );
  }
  if (value === 'zone') return new AddressFailure(`IP address ${JSON.stringify(text)} with zone value is not allowed`);
  if (isMapped(value)) return new AddressFailure(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return value;
}

export function parseCidr(text: string): CelCidr | AddressFailure {
  const prefix = 'network address parse error during conversion from string: ';
  const broken = (reason: string): AddressFailure =>
    new AddressFailure(`${prefix}netip.ParsePrefix(${JSON.stringify(text)}): ${reason}`);
  if (text.length > LONGEST) return broken('unable to parse IP');
  const slash = text.lastIndexOf('/');
  if (slash === -1) return broken("no '/'");
  const ip = rawAddress(text.slice(0, slash));
  if (ip === undefined) return broken('unable to parse IP');
  if (ip === 'zone') return broken('IPv6 zones cannot be present in a prefix');
  const bitsText = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bitsText)) return broken(`bad bits after slash: ${JSON.stringify(bitsText)}`);
  const bits = Number(bitsText);
  if (bits > ip.width) return broken('prefix length out of range');
  if (isMapped(ip)) return new AddressFailure(`IPv4-mapped IPv6 address ${JSON.stringify(text)} is not allowed`);
  return new CelCidr(ip, bits);
}

function isMapped(ip: CelIp): boolean {
  return ip.version === 6 && ip.value >> 32n === 0xffffn;
}

function rawAddress(text: string): CelIp | 'zone' | undefined {
  if (!text.includes(':')) {
    const value = rawV4(text);
    return value === undefined ? undefined : new CelIp(4, value);
  }
  const percent = text.indexOf('%');
  const value = rawV6(percent === -1 ? text : text.slice(0, percent));
  if (value === undefined || percent === text.length - 1) return undefined;
  return percent === -1 ? new CelIp(6, value) : 'zone';
}

function rawV4(text: string): bigint | undefined {
  const parts = text.split('.');
  if (parts.length !== 4) return undefined;
  let value = 0n;
  for (const part of parts) {
    if (!/^(?:0|[1-9]\d{0,2})$/.test(part) || Number(part) > 255) return undefined;
    value = (value << 8n) | BigInt(part);
  }
  return value;
}

function rawV6(text: string): bigint | undefined {
  const halves = text.split('::');
  if (halves.length > 2) return undefined;
  const head = groups(halves[0]!, halves.length === 1);
  const tail = halves.length === 2 ? groups(halves[1]!, true) : [];
  if (!head || !tail) return undefined;
  const count = head.length + tail.length;
  if (halves.length === 1 ? count !== 8 : count > 7) return undefined;
  const all = [...head, ...Array.from({ length: 8 - count }, () => 0), ...tail];
  return all.reduce((value, group) => (value << 16n) | BigInt(group), 0n);
}

/** The 16-bit groups of one side of `::`; only the very end may be written as IPv4. */
function groups(text: string, isEnd: boolean): number[] | undefined {
  if (text === '') return [];
  const parts = text.split(':');
  const result: number[] = [];
  for (const [i, part] of parts.entries()) {
    if (/^[0-9A-Fa-f]{1,4}$/.test(part)) result.push(Number.parseInt(part, 16));
    else {
      const v4 = isEnd && i === parts.length - 1 ? rawV4(part) : undefined;
      if (v4 === undefined) return undefined;
      result.push(Number(v4 >> 16n), Number(v4 & 0xffffn));
    }
  }
  return result;
}

function formatV4(value: bigint): string {
  return [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 0xffn).join('.');
}

/** RFC 5952: the longest run of zero groups is left out, ties go to the first. */
function formatV6(value: bigint): string {
  const all = Array.from({ length: 8 }, (_item, i) => Number((value >> BigInt(112 - i * 16)) & 0xffffn));
  let best = { start: -1, length: 1 };
  for (let start = 0; start < 8; start++) {
    let length = 0;
    while (start + length < 8 && all[start + length] === 0) length++;
    if (length > best.length) best = { start, length };
  }
  const hex = (part: number[]): string => part.map((group) => group.toString(16)).join(':');
  if (best.start === -1) return hex(all);
  return `${hex(all.slice(0, best.start))}::${hex(all.slice(best.start + best.length))}`;
}
