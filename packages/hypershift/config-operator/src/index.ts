/** The operator that works inside a hosted cluster from beside its control plane. */
export { type ClusterVersionOperatorOptions, runClusterVersionOperator } from './cluster-version-operator/run.ts';
export { guestCrds } from './guest/kinds.ts';
export { ensureGuestKinds } from './guest/served-kinds.ts';
export { type ConnectionCheckerOptions, runConnectionChecker } from './kas-connection-checker/run.ts';
export { runHostedClusterConfigOperator } from './operator.ts';
export type { ConfigOperatorOptions } from './options.ts';
export type { Endpoint } from './resources/inputs.ts';
export { connectionChecker } from './resources/kas-connection-checker.ts';
