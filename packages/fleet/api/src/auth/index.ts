/** Who asks, and for which tenant. */
export { requireIdentity, systemIdentity } from './identity.ts';
export { type Authenticate, type IssuerConfig, issuerProblems, jwtAuthentication } from './jwt.ts';
export { type TenantConfig, tenantOf, tenantProblems } from './tenancy.ts';
