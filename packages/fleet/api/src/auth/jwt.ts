import type { IncomingHttpHeaders } from 'node:http';
import { type Clock, compilePattern } from '@hypershift-ts/kube-apimachinery';
import { errors, type JWTPayload, jwtVerify } from 'jose';
import { ApiError } from '../errors/index.ts';
import { identityOf } from './identity.ts';
import { type KeySet, keySet } from './jwks.ts';

/** One entry of `server.jwt.configs`. */
export interface IssuerConfig {
  readonly issuer_url: string;
  readonly jwk_cert_url?: string;
  readonly jwk_cert_file?: string;
  readonly jwk_cert_ca_file?: string;
  readonly header?: string;
  readonly audience?: string;
  readonly identity_claim?: string;
  readonly identity_claim_pattern?: string;
  readonly identity_header?: string;
}

/** Finds out who sent a request; the empty text when the token is valid but names nobody. Throws a 401 problem. */
export type Authenticate = (headers: IncomingHttpHeaders) => Promise<string>;

const leewaySeconds = 30;
const maxToken = 16 * 1024;

/** What makes an issuer unusable, each as a sentence. */
export function issuerProblems(issuers: readonly IssuerConfig[]): string[] {
  if (issuers.length === 0)
    return ['server.jwt.configs must name at least one issuer while server.jwt.enabled is true'];
  return issuers.flatMap((issuer, index) => {
    const at = `server.jwt.configs[${index}]`;
    const problems: string[] = [];
    if (!isSafeUrl(issuer.issuer_url)) problems.push(`${at}.issuer_url must be an https URL (http only on loopback)`);
    if (!issuer.jwk_cert_url && !issuer.jwk_cert_file)
      problems.push(`${at} needs jwk_cert_url or jwk_cert_file to verify tokens`);
    if (issuer.jwk_cert_url && !isSafeUrl(issuer.jwk_cert_url))
      problems.push(`${at}.jwk_cert_url must be an https URL (http only on loopback)`);
    const pattern = issuer.identity_claim_pattern ? compilePattern(issuer.identity_claim_pattern) : undefined;
    if (pattern?.error !== undefined) problems.push(`${at}.identity_claim_pattern: ${pattern.error}`);
    return problems;
  });
}

function isSafeUrl(text: string): boolean {
  try {
    const { protocol, hostname } = new URL(text);
    return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1', '[::1]'].includes(hostname));
  } catch {
    return false;
  }
}

interface Issuer {
  readonly config: IssuerConfig;
  readonly header: string;
  readonly keys: KeySet;
}

/** Authenticates by the tokens of several issuers, each read from its own header. */
export function jwtAuthentication(configs: readonly IssuerConfig[], clock: Clock): Authenticate {
  const issuers = configs.map((config): Issuer => {
    const { jwk_cert_file: file, jwk_cert_url: url, jwk_cert_ca_file: caFile } = config;
    const source = { ...(file ? { file } : {}), ...(url ? { url } : {}), ...(caFile ? { caFile } : {}) };
    return { config, header: (config.header || 'Authorization').toLowerCase(), keys: keySet(source, clock) };
  });
  return async (headers) => {
    let failure: ApiError | undefined;
    for (const issuer of issuers) {
      const value = headers[issuer.header];
      if (typeof value !== 'string' || value === '') continue;
      try {
        return identityOf(issuer.config, await verify(issuer, bearerToken(value), clock), headers);
      } catch (error) {
        // "Expired" helps a caller more than "another issuer's key did not fit".
        if (failure?.code !== 'AUT-003') failure = rejection(error);
      }
    }
    throw failure ?? new ApiError('AUT-001', 'missing authorization header', unauthorized);
  };
}

const unauthorized = { headers: { 'www-authenticate': 'Bearer' } };

function bearerToken(header: string): string {
  const [scheme = '', token, ...rest] = header.trim().split(/\s+/);
  if (scheme.toLowerCase() !== 'bearer' || token === undefined || rest.length > 0)
    throw new ApiError('AUT-002', 'authorization header does not use Bearer scheme', unauthorized);
  if (token.length > maxToken) throw new ApiError('AUT-002', 'invalid JWT token', unauthorized);
  return token;
}

async function verify({ config, keys }: Issuer, token: string, clock: Clock): Promise<JWTPayload> {
  const options = {
    issuer: config.issuer_url,
    ...(config.audience ? { audience: config.audience } : {}),
    algorithms: ['RS256'],
    clockTolerance: leewaySeconds,
    requiredClaims: ['exp'],
    currentDate: new Date(clock.now()),
  };
  try {
    return (await jwtVerify(token, await keys.keys(false), options)).payload;
  } catch (error) {
    if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
    return (await jwtVerify(token, await keys.keys(true), options)).payload;
  }
}

function rejection(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof errors.JWTExpired)
    return new ApiError('AUT-003', 'JWT token has expired', { ...unauthorized, cause: error });
  if (error instanceof errors.JOSEError)
    return new ApiError('AUT-002', 'invalid JWT token', { ...unauthorized, cause: error });
  return new ApiError('SVC-001', 'the keys of the token issuer are not available', { cause: error });
}
