import { describe, expect, it } from 'vitest';
import type { IPAddress } from './index.ts';
import {
  isGlobalUnicastIP,
  isLinkLocalMulticastIP,
  isLinkLocalUnicastIP,
  isLoopbackIP,
  isMulticastIP,
  isUnspecifiedIP,
  parseIP,
} from './index.ts';

const scopesOf = (address: IPAddress): string[] =>
  Object.entries({
    unspecified: isUnspecifiedIP,
    loopback: isLoopbackIP,
    multicast: isMulticastIP,
    'link-local multicast': isLinkLocalMulticastIP,
    'link-local unicast': isLinkLocalUnicastIP,
    'global unicast': isGlobalUnicastIP,
  })
    .filter(([, is]) => is(address))
    .map(([name]) => name);

describe('scopes of addresses', () => {
  it.each<[string, string[]]>([
    ['0.0.0.0', ['unspecified']],
    ['::', ['unspecified']],
    ['127.9.9.9', ['loopback']],
    ['::1', ['loopback']],
    ['169.254.1.1', ['link-local unicast']],
    ['fe80::1', ['link-local unicast']],
    ['224.0.0.1', ['multicast', 'link-local multicast']],
    ['224.0.1.1', ['multicast']],
    ['ff02::1', ['multicast', 'link-local multicast']],
    ['ff12::1', ['multicast', 'link-local multicast']],
    ['ff05::1', ['multicast']],
    ['255.255.255.255', []],
    ['10.0.0.1', ['global unicast']],
    ['fd00::1', ['global unicast']],
  ])('When asked about %s, it should say %j', (text, scopes) => {
    expect(scopesOf(parseIP(text) as IPAddress)).toEqual(scopes);
  });
});
