import type { Clock } from '@hypershift-ts/kube-apimachinery';
import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import type { Authenticated, TokenAuthenticator } from './authenticator.ts';
import { BadCredential, credentialIdKey } from './authenticator.ts';
import { peekToken } from './service-account/signed-token.ts';

/** One entry of `jwt` in an AuthenticationConfiguration (or the `--oidc-*` flags), as far as claims and prefixes go. */
export interface JwtIssuerConfig {
  readonly issuer: { readonly url: string; readonly audiences: readonly string[] };
  readonly claimMappings: {
    readonly username: { readonly claim: string; readonly prefix?: string };
    readonly groups?: { readonly claim: string; readonly prefix?: string };
    readonly uid?: { readonly claim: string };
  };
  readonly claimValidationRules?: readonly { readonly claim: string; readonly requiredValue: string }[];
}

export interface JwtIssuersOptions {
  readonly issuers: readonly JwtIssuerConfig[];
  /** Fetches a JSON document over HTTPS with the issuer's CA; brings its own deadline and size limit. */
  readonly fetchJson: (url: string, issuer: JwtIssuerConfig) => Promise<unknown>;
  readonly clock: Clock;
}

type Claims = Readonly<Record<string, unknown>>;
type KeySet = ReturnType<typeof createLocalJWKSet>;

const algorithms = ['RS256', 'RS384', 'RS512', 'ES256', 'ES384', 'ES512', 'PS256', 'PS384', 'PS512'];
// An unknown key id may mean a rotation, but must not let strangers make us fetch all day.
const refetchAfter = 60_000;

function claimText(claims: Claims, name: string): string | undefined {
  const value = Object.hasOwn(claims, name) ? claims[name] : undefined;
  return typeof value === 'string' ? value : undefined;
}

function groupsOf(claims: Claims, mapping: JwtIssuerConfig['claimMappings']['groups']): string[] {
  if (!mapping || !Object.hasOwn(claims, mapping.claim)) return [];
  const value = claims[mapping.claim];
  const list = typeof value === 'string' ? [value] : value;
  if (!Array.isArray(list) || !list.every((one) => typeof one === 'string')) {
    throw new BadCredential(`claim ${JSON.stringify(mapping.claim)} is not a list of groups`);
  }
  return list.map((group) => `${mapping.prefix ?? ''}${group}`);
}

/** The user a verified token stands for. */
function userFromClaims(config: JwtIssuerConfig, claims: Claims): Authenticated {
  const { username, groups, uid } = config.claimMappings;
  for (const rule of config.claimValidationRules ?? []) {
    if (claimText(claims, rule.claim) !== rule.requiredValue) {
      throw new BadCredential(`claim ${JSON.stringify(rule.claim)} does not have the required value`);
    }
  }
  const name = claimText(claims, username.claim);
  if (!name) throw new BadCredential(`the token has no claim ${JSON.stringify(username.claim)} to name the user`);
  // An e-mail address somebody typed in is no identity until the provider says it is verified.
  if (username.claim === 'email' && Object.hasOwn(claims, 'email_verified') && claims.email_verified !== true) {
    throw new BadCredential('the email of the token is not verified');
  }
  const id = uid && claimText(claims, uid.claim);
  const jti = claimText(claims, 'jti');
  return {
    user: {
      name: `${username.prefix ?? ''}${name}`,
      groups: groupsOf(claims, groups),
      ...(id ? { uid: id } : {}),
      ...(jti ? { extra: { [credentialIdKey]: [`JTI=${jti}`] } } : {}),
    },
  };
}

/** Verifies tokens of other OpenID providers by the keys they publish. */
export function jwtIssuers(options: JwtIssuersOptions): TokenAuthenticator {
  const byUrl = new Map(options.issuers.map((config) => [config.issuer.url, config]));
  const keySets = new Map<string, { readonly keys: Promise<KeySet>; readonly at: number }>();

  const keysOf = (config: JwtIssuerConfig, afresh: boolean): Promise<KeySet> => {
    const { url } = config.issuer;
    const now = options.clock.now();
    const known = keySets.get(url);
    if (known && (!afresh || now - known.at < refetchAfter)) return known.keys;
    const keys = fetchKeys(config, options.fetchJson);
    keySets.set(url, { keys, at: now });
    keys.catch(() => {
      if (keySets.get(url)?.keys === keys) keySets.delete(url);
    });
    return keys;
  };

  const verify = async (token: string, config: JwtIssuerConfig, keys: KeySet): Promise<Claims> => {
    const { payload } = await jwtVerify(token, keys, {
      issuer: config.issuer.url,
      audience: [...config.issuer.audiences],
      algorithms,
      currentDate: new Date(options.clock.now()),
      requiredClaims: ['exp'],
    });
    return payload;
  };

  return {
    async authenticateToken(token) {
      const config = byUrl.get(peekToken(token)?.issuer ?? '');
      if (!config) return undefined;
      try {
        const claims = await verify(token, config, await keysOf(config, false)).catch(async (error: unknown) => {
          if (!(error instanceof errors.JWKSNoMatchingKey)) throw error;
          return verify(token, config, await keysOf(config, true));
        });
        return userFromClaims(config, claims);
      } catch (cause) {
        if (cause instanceof BadCredential) throw cause;
        throw new BadCredential(`the token of ${config.issuer.url} does not verify`, { cause });
      }
    },
  };
}

async function fetchKeys(config: JwtIssuerConfig, fetchJson: JwtIssuersOptions['fetchJson']): Promise<KeySet> {
  const { url } = config.issuer;
  const discovered = (await fetchJson(`${url.replace(/\/$/, '')}/.well-known/openid-configuration`, config)) as {
    issuer?: unknown;
    jwks_uri?: unknown;
  } | null;
  if (discovered?.issuer !== url || typeof discovered.jwks_uri !== 'string') {
    throw new Error(`the discovery document of ${url} is for another issuer or names no keys`);
  }
  return createLocalJWKSet((await fetchJson(discovered.jwks_uri, config)) as Parameters<typeof createLocalJWKSet>[0]);
}
