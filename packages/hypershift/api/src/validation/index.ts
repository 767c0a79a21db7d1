/** Checks beyond the CRDs, as pure functions: for an admission webhook and for the controllers' conditions. */
export * from './accepted-but-reported.ts';
export * from './condition-text.ts';
export type { HostedClusterFacts, KeyedData, NodePoolFacts } from './facts.ts';
export { hostedClusterWarnings, validateHostedCluster } from './hosted-cluster.ts';
export { hostedClusterUpdateWarnings, validateHostedClusterUpdate } from './hosted-cluster-update.ts';
export { validateKubeVirtPatch } from './kubevirt-patch.ts';
export { defaultAdvertiseAddress, defaultNodePortRange } from './networking.ts';
export { nodePoolWarnings, validateNodePool, validateNodePoolPlatformConfig } from './node-pool.ts';
export { supportedArchitectures, validateArchitecture } from './node-pool-architecture.ts';
export { validateUpdateManagement } from './node-pool-management.ts';
export { validateAutoscaling } from './node-pool-size.ts';
export { type Pause, pauseOf } from './paused-until.ts';
export { validProxyConfiguration } from './proxy-bundle.ts';
export { type OperatorFacts, unsupportedFields } from './supported.ts';
