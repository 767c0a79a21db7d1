/** Names of the hosted cluster. */
import { object, raw, string } from '../schema/index.ts';

export const dns = object({
  baseDomain: string({ maxLength: 253 })
    .describe(
      'Domain under which the names of the cluster are made; it may be filled in once and then stays.',
      'On KubeVirt with passthrough a controller fills it.',
    )
    .rule(
      raw`self == "" || self.matches('^(?:(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$')`,
      'baseDomain must be a valid domain name (e.g., example, example.com, sub.example.com)',
    )
    .rule('oldSelf == "" || self == oldSelf', 'baseDomain is immutable'),
  baseDomainPrefix: string({ maxLength: 253 })
    .optional()
    .describe(
      'Label put before the base domain; absent stands for the name of the HostedCluster,',
      'an empty string for no label at all.',
    )
    .rule(
      raw`self == "" || self.matches('^(?:(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$')`,
      'baseDomainPrefix must be a valid domain name (e.g., example, example.com, sub.example.com)',
    )
    .immutable('baseDomainPrefix is immutable'),
  privateZoneID: string({ minLength: 1, maxLength: 265 })
    .optional()
    .describe(
      'Cloud identifier of the DNS zone that is visible only inside the network of the cluster; fixed once set.',
    )
    .rule('oldSelf == "" || self == oldSelf', 'privateZoneID is immutable'),
  publicZoneID: string({ minLength: 1, maxLength: 258 })
    .optional()
    .describe('Cloud identifier of the DNS zone the world can see; fixed once set.')
    .rule('oldSelf == "" || self == oldSelf', 'publicZoneID is immutable'),
}).describe('Domain and DNS zones of the hosted cluster.');
