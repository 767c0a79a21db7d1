import { isIP } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { CIDR, IPAddress } from './index.ts';
import {
  addressAt,
  addressesOf,
  cidrContains,
  cidrContainsCIDR,
  cidrSize,
  cidrsOverlap,
  formatCIDR,
  formatIP,
  indexOfAddress,
  isValidCIDR,
  isValidIP,
  lastAddress,
  maskedCIDR,
  nextIP,
  parseCIDR,
  parseIP,
  serviceRange,
} from './index.ts';

const ip = (text: string) => parseIP(text) as IPAddress;
const cidr = (text: string) => parseCIDR(text) as CIDR;

describe('parseIP', () => {
  it.each([
    ['0.0.0.0', '0.0.0.0'],
    ['10.9.8.7', '10.9.8.7'],
    ['255.255.255.255', '255.255.255.255'],
    ['::', '::'],
    ['::1', '::1'],
    ['2001:DB8::FFFF', '2001:db8::ffff'],
    ['2001:db8:0:0:1:0:0:1', '2001:db8::1:0:0:1'],
    ['1:0:0:0:0:0:0:0', '1::'],
    ['2001:0db8:0000:1:1:1:1:1', '2001:db8:0:1:1:1:1:1'],
    ['::ffff:1.2.3.4', '::ffff:1.2.3.4'],
    ['::1.2.3.4', '::102:304'],
    ['64:ff9b::1.2.3.4', '64:ff9b::102:304'],
    ['1::2:3:4:5:6:7', '1:0:2:3:4:5:6:7'],
  ])('When given %s, it should be written as %s', (text, canonical) => {
    expect(formatIP(ip(text))).toBe(canonical);
  });

  it.each([
    '',
    '1.2.3',
    '1.2.3.4.5',
    '010.0.0.1',
    '1.2.3.04',
    '256.1.1.1',
    '0x10.1.1.1',
    ' 1.2.3.4',
    '1.2.3.4 ',
    'fe80::1%eth0',
    '1::2::3',
    ':::',
    ':1',
    '1:',
    '12345::',
    '1:2:3:4:5:6:7',
    '1:2:3:4:5:6:7:8:9',
    '1:2:3:4:5:6:7::8',
    '1.2.3.4::',
    '::1.2.3.4:5',
    '1.2.3.4/8',
    'g::',
  ])('When given %j, it should be refused', (text) => {
    expect(parseIP(text)).toBeUndefined();
  });

  it('When random texts are judged, it should agree with the platform', () => {
    let seed = 3;
    const random = (n: number) => (seed = (seed * 1103515245 + 12345) % 2147483648) % n;
    const alphabet = '0123456789abcdef::::....';
    for (let i = 0; i < 20_000; i++) {
      const text = Array.from({ length: random(16) }, () => alphabet[random(alphabet.length)]).join('');
      expect([text, parseIP(text)?.family ?? 0]).toEqual([text, isIP(text)]);
    }
  });

  it('When counted up, it should stop at the end of the address space', () => {
    expect(formatIP(nextIP(ip('10.0.0.255')) as IPAddress)).toBe('10.0.1.0');
    expect(nextIP(ip('255.255.255.255'))).toBeUndefined();
    expect(nextIP(ip('ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff'))).toBeUndefined();
  });
});

describe('CIDRs', () => {
  it.each(['10.0.0.0/33', '10.0.0.0/08', '10.0.0.0/+8', '10.0.0.0/', '10.0.0.0', '::/129', '/8', 'fe80::%a/64'])(
    'When given %j, it should be refused',
    (text) => {
      expect(parseCIDR(text)).toBeUndefined();
    },
  );

  it('When masked, it should drop the bits beyond the prefix', () => {
    expect(formatCIDR(maskedCIDR(cidr('10.1.2.3/8')))).toBe('10.0.0.0/8');
    expect(formatCIDR(maskedCIDR(cidr('2001:db8::1/64')))).toBe('2001:db8::/64');
    expect(formatIP(lastAddress(cidr('10.1.2.3/30')))).toBe('10.1.2.3');
  });

  it.each<[string, string, boolean]>([
    ['10.0.0.0/8', '10.255.0.1', true],
    ['10.0.0.0/8', '11.0.0.0', false],
    ['0.0.0.0/0', '1.1.1.1', true],
    ['0.0.0.0/0', '::1', false],
    ['2001:db8::/32', '2001:db8:ffff::', true],
    ['1.2.3.4/32', '1.2.3.4', true],
  ])('When asked whether %s contains %s, it should say %j', (block, address, expected) => {
    expect(cidrContains(cidr(block), ip(address))).toBe(expected);
  });

  it('When blocks are compared, it should know what lies in what', () => {
    expect(cidrContainsCIDR(cidr('10.0.0.0/8'), cidr('10.1.0.0/16'))).toBe(true);
    expect(cidrContainsCIDR(cidr('10.1.0.0/16'), cidr('10.0.0.0/8'))).toBe(false);
    expect(cidrsOverlap(cidr('10.1.0.0/16'), cidr('10.0.0.0/8'))).toBe(true);
    expect(cidrsOverlap(cidr('10.1.0.0/16'), cidr('10.2.0.0/16'))).toBe(false);
  });

  it('When walked, it should give every address once', () => {
    expect([...addressesOf(cidr('10.0.0.9/30'))].map(formatIP)).toEqual([
      '10.0.0.8',
      '10.0.0.9',
      '10.0.0.10',
      '10.0.0.11',
    ]);
    expect(cidrSize(cidr('::/64'))).toBe(2n ** 64n);
    expect(formatIP(addressAt(cidr('172.30.0.0/16'), 10n) as IPAddress)).toBe('172.30.0.10');
    expect(addressAt(cidr('172.30.0.0/16'), 65536n)).toBeUndefined();
    expect(indexOfAddress(cidr('172.30.0.0/16'), ip('172.30.1.0'))).toBe(256n);
    expect(serviceRange(cidr('172.30.0.0/16'))).toEqual({ first: 1n, count: 65534n });
    expect(serviceRange(cidr('fd00::/108')).count).toBe(1048575n);
  });
});

describe('messages', () => {
  it.each([
    ['1.2.3.4', []],
    ['01.2.3.4', ['must not have leading 0s']],
    ['::ffff:1.2.3.4', ['must not be an IPv4-mapped IPv6 address']],
    ['x', ['must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)']],
  ])('When the address is %s, it should say %j', (text, messages) => {
    expect(isValidIP(text)).toEqual(messages);
  });

  it('When a block has host bits, it should propose the right one', () => {
    expect(isValidCIDR('10.1.2.3/8')).toEqual(['must not have bits set beyond the prefix length (e.g., "10.0.0.0/8")']);
    expect(isValidCIDR('x')).toHaveLength(1);
    expect(isValidCIDR('10.0.0.0/8')).toEqual([]);
  });
});
