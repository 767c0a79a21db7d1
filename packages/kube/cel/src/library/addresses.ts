import type { IPAddress } from '@hypershift-ts/kube-apimachinery';
import {
  isGlobalUnicastIP,
  isLinkLocalMulticastIP,
  isLinkLocalUnicastIP,
  isLoopbackIP,
  isUnspecifiedIP,
} from '@hypershift-ts/kube-apimachinery';
import { BOOL, INT, opaqueType, STRING } from '../check/type.ts';
import { fail, noSuchOverload } from '../errors.ts';
import { AddressFailure, CelCidr, CelIp, parseCidr, parseIp } from '../values/ip.ts';
import type { Library } from './declaration.ts';
import { declare, global, member } from './declaration.ts';

const IP = opaqueType('net.IP');
const CIDR = opaqueType('net.CIDR');

function toIp(text: string): CelIp {
  const ip = parseIp(text);
  return ip instanceof AddressFailure ? fail(ip.message) : ip;
}

function toCidr(text: string): CelCidr {
  const cidr = parseCidr(text);
  return cidr instanceof AddressFailure
    ? fail(`network address parse error during conversion from string: ${cidr.message}`)
    : cidr;
}

const FLAGS: readonly [string, string, (address: IPAddress) => boolean][] = [
  ['isUnspecified', 'ip_is_unspecified', isUnspecifiedIP],
  ['isLoopback', 'ip_is_loopback', isLoopbackIP],
  ['isLinkLocalMulticast', 'ip_is_link_local_multicast', isLinkLocalMulticastIP],
  ['isLinkLocalUnicast', 'ip_is_link_local_unicast', isLinkLocalUnicastIP],
  ['isGlobalUnicast', 'ip_is_global_unicast', isGlobalUnicastIP],
];

/** IP addresses. */
export const ipLibrary: Library = {
  types: [IP],
  functions: [
    declare('ip', global('string_to_ip', [STRING], IP, toIp)),
    declare(
      'isIP',
      global('is_ip', [STRING], BOOL, (text) => parseIp(text) instanceof CelIp),
    ),
    declare(
      'ip.isCanonical',
      global('ip_is_canonical', [STRING], BOOL, (text) => toIp(text).toString() === text),
    ),
    declare(
      'family',
      member('ip_family', [IP], INT, (ip: CelIp) => ip.address.family),
    ),
    ...FLAGS.map(([name, id, is]) =>
      declare(
        name,
        member(id, [IP], BOOL, (ip: CelIp) => is(ip.address)),
      ),
    ),
    declare('string', global('ip_to_string', [IP], STRING, String)),
  ],
};

/** Networks in CIDR notation. */
export const cidrLibrary: Library = {
  types: [CIDR],
  functions: [
    declare('cidr', global('string_to_cidr', [STRING], CIDR, toCidr)),
    declare(
      'isCIDR',
      global('is_cidr', [STRING], BOOL, (text) => parseCidr(text) instanceof CelCidr),
    ),
    declare(
      'containsIP',
      member('cidr_contains_ip_string', [CIDR, STRING], BOOL, (cidr: CelCidr, text: string) => {
        const ip = parseIp(text);
        return ip instanceof CelIp ? cidr.contains(ip) : noSuchOverload();
      }),
      member('cidr_contains_ip_ip', [CIDR, IP], BOOL, (cidr: CelCidr, ip: CelIp) => cidr.contains(ip)),
    ),
    declare(
      'containsCIDR',
      member('cidr_contains_cidr_string', [CIDR, STRING], BOOL, (cidr: CelCidr, text: string) =>
        cidr.containsNetwork(toCidr(text)),
      ),
      member('cidr_contains_cidr', [CIDR, CIDR], BOOL, (cidr: CelCidr, other: CelCidr) => cidr.containsNetwork(other)),
    ),
    declare(
      'ip',
      member('cidr_ip', [CIDR], IP, ({ cidr }: CelCidr) => new CelIp(cidr.address)),
    ),
    declare(
      'prefixLength',
      member('cidr_prefix_length', [CIDR], INT, ({ cidr }: CelCidr) => cidr.bits),
    ),
    declare(
      'masked',
      member('cidr_masked', [CIDR], CIDR, (cidr: CelCidr) => cidr.masked),
    ),
    declare('string', global('cidr_to_string', [CIDR], STRING, String)),
  ],
};
