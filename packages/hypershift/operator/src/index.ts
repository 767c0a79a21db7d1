/** The HyperShift operator: from a HostedCluster to a control plane namespace with everything in it. */
export * from './capabilities/index.ts';
export * from './cluster-api/index.ts';
export * from './conditions/index.ts';
export * from './copied-objects/index.ts';
export * from './deletion/index.ts';
export * from './hosted-cluster/index.ts';
export * from './hosted-control-plane/index.ts';
export * from './ignition-endpoint/index.ts';
export * from './names/index.ts';
export * from './namespace/index.ts';
export * from './network-policies/index.ts';
export { MemoryOidcDocuments, type OidcDocuments } from './oidc/index.ts';
export { operatorsOf } from './operator-deployments/index.ts';
export * from './run/index.ts';
export * from './validation/index.ts';
export * from './version/index.ts';
export * from './nodepool/index.ts';
