/** Who is asking: certificates, tokens, proxies, anonymous users, impersonation, and the reviews about them. */
export * from './authenticator.ts';
export { bootstrapTokens } from './bootstrap-token.ts';
export * from './chain.ts';
export { ClientCertificates } from './client-certificate.ts';
export { FrontProxy } from './front-proxy.ts';
export { bearerToken } from './headers.ts';
export * from './impersonation.ts';
export { type JwtIssuerConfig, jwtIssuers } from './jwt-issuer.ts';
export * from './reviews.ts';
export {
  type BoundObjectLookup,
  ServiceAccountTokens,
} from './service-account/authenticator.ts';
export * from './service-account/discovery.ts';
export { TokenIssuer } from './service-account/issuer.ts';
export * from './service-account/keys.ts';
export * from './service-account/names.ts';
export * from './service-account/token-request.ts';
export { staticTokens } from './static-token.ts';
export { trustConfigMap } from './trust-config-map.ts';
export { webhookTokens } from './webhook-token.ts';
