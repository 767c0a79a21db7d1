import type { CIDR, IPAddress } from '@hypershift-ts/kube-apimachinery';
import {
  bitsOf,
  cidrContains,
  cidrContainsCIDR,
  formatCIDR,
  formatIP,
  isIPv4Mapped,
  maskedCIDR,
  parseCIDR,
  parseIP,
} from '@hypershift-ts/kube-apimachinery';
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
  readonly address: IPAddress;

  constructor(address: IPAddress) {
    super();
    this.address = address;
  }
  /** Size in bytes, as the cost model counts it. */
  get costSize(): number {
    return bitsOf(this.address.family) / 8;
  }
  equals(other: OpaqueValue): boolean {
    return other instanceof CelIp && isSame(this.address, other.address);
  }
  override toString(): string {
    return formatIP(this.address);
  }
}

/** A network: an address and how many leading bits count. */
export class CelCidr extends OpaqueValue {
  readonly typeName = 'net.CIDR';
  readonly cidr: CIDR;

  constructor(cidr: CIDR) {
    super();
    this.cidr = cidr;
  }
  get costSize(): number {
    return Math.ceil(this.cidr.bits / 8);
  }
  equals(other: OpaqueValue): boolean {
    return (
      other instanceof CelCidr && this.cidr.bits === other.cidr.bits && isSame(this.cidr.address, other.cidr.address)
    );
  }
  contains(ip: CelIp): boolean {
    return cidrContains(this.cidr, ip.address);
  }
  containsNetwork(other: CelCidr): boolean {
    return cidrContainsCIDR(this.cidr, other.cidr);
  }
  get masked(): CelCidr {
    return new CelCidr(maskedCIDR(this.cidr));
  }
  override toString(): string {
    return formatCIDR(this.cidr);
  }
}

function isSame(a: IPAddress, b: IPAddress): boolean {
  return a.family === b.family && a.value === b.value;
}

/** Reads an address the way Go's netip does, but refuses zones and IPv4-mapped IPv6. */
export function parseIp(text: string): CelIp | AddressFailure {
  const address = parseIP(text);
  const quoted = JSON.stringify(text);
  if (address === undefined) {
    return new AddressFailure(
      hasZone(text)
        ? `IP address ${quoted} with zone value is not allowed`
        : `IP Address ${quoted} parse error during conversion from string: ParseAddr(${quoted}): unable to parse IP`,
    );
  }
  return isIPv4Mapped(address) ? mapped(quoted) : new CelIp(address);
}

export function parseCidr(text: string): CelCidr | AddressFailure {
  const cidr = parseCIDR(text);
  const quoted = JSON.stringify(text);
  if (cidr === undefined) {
    const reason = prefixProblem(text);
    return new AddressFailure(
      `network address parse error during conversion from string: netip.ParsePrefix(${quoted}): ${reason}`,
    );
  }
  return isIPv4Mapped(cidr.address) ? mapped(quoted) : new CelCidr(cidr);
}

function mapped(quoted: string): AddressFailure {
  return new AddressFailure(`IPv4-mapped IPv6 address ${quoted} is not allowed`);
}

/** What Go says about a text that is no CIDR. */
function prefixProblem(text: string): string {
  const slash = text.lastIndexOf('/');
  if (slash === -1) return "no '/'";
  const before = text.slice(0, slash);
  if (hasZone(before)) return 'IPv6 zones cannot be present in a prefix';
  if (parseIP(before) === undefined) return 'unable to parse IP';
  const bits = text.slice(slash + 1);
  if (!/^(?:0|[1-9]\d{0,2})$/.test(bits)) return `bad bits after slash: ${JSON.stringify(bits)}`;
  return 'prefix length out of range';
}

/** Whether the text is an IPv6 address followed by a zone, such as `fe80::1%eth0`. */
function hasZone(text: string): boolean {
  const percent = text.indexOf('%');
  if (percent === -1 || percent === text.length - 1) return false;
  return parseIP(text.slice(0, percent))?.family === 6;
}
