/** Names of the hosted cluster. */
import { object, raw, string } from '../schema/index.ts';

export const dns = object({
  baseDomain: string({ maxLength: 253 })
    .rule(
      raw`self == "" || self.matches('^(?:(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$')`,
      'baseDomain must be a valid domain name (e.g., example, example.com, sub.example.com)',
    )
    .rule('oldSelf == "" || self == oldSelf', 'baseDomain is immutable'),
  baseDomainPrefix: string({ maxLength: 253 })
    .optional()
    .rule(
      raw`self == "" || self.matches('^(?:(?:[a-zA-Z0-9-]+\\.)+[a-zA-Z]{2,}|[a-zA-Z0-9-]+)$')`,
      'baseDomainPrefix must be a valid domain name (e.g., example, example.com, sub.example.com)',
    )
    .immutable('baseDomainPrefix is immutable'),
  privateZoneID: string({ minLength: 1, maxLength: 265 })
    .optional()
    .rule('oldSelf == "" || self == oldSelf', 'privateZoneID is immutable'),
  publicZoneID: string({ minLength: 1, maxLength: 258 })
    .optional()
    .rule('oldSelf == "" || self == oldSelf', 'publicZoneID is immutable'),
});
