import type { IncomingHttpHeaders } from 'node:http';
import { compilePattern } from '@hypershift-ts/kube-apimachinery';
import { ApiError } from '../errors/index.ts';
import type { IssuerConfig } from './jwt.ts';

/** Who writes when authentication is off. */
export const systemIdentity = 'system@hyperfleet.local';

const maxLength = 256;

/** The name of the caller: a header the gateway sets, or a claim of the token. Empty when there is neither. */
export function identityOf(
  config: IssuerConfig,
  claims: Readonly<Record<string, unknown>>,
  headers: IncomingHttpHeaders,
): string {
  if (config.identity_header) {
    const value = headers[config.identity_header.toLowerCase()];
    const identity = normalised(typeof value === 'string' ? value : '', `header "${config.identity_header}"`);
    if (identity !== '') return matching(config, identity, 'identity header value');
  }
  const claim = config.identity_claim ?? 'email';
  const value = Object.hasOwn(claims, claim) ? claims[claim] : undefined;
  const identity = normalised(typeof value === 'string' ? value : '', `JWT claim "${claim}"`);
  return identity === '' ? '' : matching(config, identity, 'identity claim value');
}

function normalised(raw: string, source: string): string {
  const value = raw.trim();
  if (value.length > maxLength) throw refusal(`${source} value exceeds maximum length ${maxLength}`);
  for (let at = 0; at < value.length; at++) {
    const code = value.charCodeAt(at);
    if (code < 0x20 || code === 0x7f) throw refusal(`${source} value contains invalid characters`);
  }
  return value;
}

function matching(config: IssuerConfig, identity: string, source: string): string {
  if (!config.identity_claim_pattern) return identity;
  const pattern = compilePattern(config.identity_claim_pattern);
  if (pattern.error !== undefined || !pattern.matches(identity))
    throw refusal(`${source} does not match required pattern`);
  return identity;
}

const refusal = (detail: string) => new ApiError('AUT-002', detail);

/** Writes must name who wrote; reading is open to any valid token. */
export function requireIdentity(identity: string): void {
  if (identity === '') throw new ApiError('AUT-001', 'the caller identity is required for this request but was empty');
}
