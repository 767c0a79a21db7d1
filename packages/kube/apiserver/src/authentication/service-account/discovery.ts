import type { VerificationKey } from './keys.ts';

export const openIdConfigurationPath = '/.well-known/openid-configuration';
export const jwksPath = '/openid/v1/jwks';

/** The document at /.well-known/openid-configuration, by which others find the keys of our tokens. */
export function openIdConfiguration(issuer: string, jwksUri: string, keys: readonly VerificationKey[]): object {
  return {
    issuer,
    jwks_uri: jwksUri,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: [...new Set(keys.map((key) => key.algorithm))].sort(),
  };
}

/** The document at /openid/v1/jwks. */
export function jsonWebKeySet(keys: readonly VerificationKey[]): object {
  return {
    keys: keys.map((key) => ({
      use: 'sig',
      ...key.publicKey.export({ format: 'jwk' }),
      kid: key.id,
      alg: key.algorithm,
    })),
  };
}
