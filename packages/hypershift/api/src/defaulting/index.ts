/** Defaults beyond the CRDs, as pure functions: for an admission webhook and for the operator. */
export { defaultHostedCluster } from './hosted-cluster.ts';
export { generatedEncryptionKeyName, withGeneratedEncryption, withIdentity } from './hosted-cluster-identity.ts';
export { generateInfraID } from './infra-id.ts';
export { defaultNodePool } from './node-pool.ts';
export type { DefaultSources } from './sources.ts';
