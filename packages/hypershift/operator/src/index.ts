/** The HyperShift operator: from a HostedCluster to a control plane namespace with everything in it. */
export * from './capabilities/index.ts';
export { crdReaderRole } from './cluster-api/index.ts';
export { type Unhealthy, unhealthyConditions } from './conditions/index.ts';
export { hostedClusterController, type HostedClusterOptions } from './hosted-cluster/index.ts';
export * from './names/index.ts';
export * from './nodepool/index.ts';
export { parseAwsCredentials } from './oidc/aws-signature.ts';
export { gcsDocuments, s3Documents } from './oidc/buckets.ts';
export { MemoryOidcDocuments, type OidcDocuments } from './oidc/index.ts';
export * from './run/index.ts';
