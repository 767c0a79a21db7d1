/** The HostedCluster controller: small named steps around the pure functions of the other folders. */
export { hostedClusterController, hostedClusterReconcile } from './controller.ts';
export { failureOf } from './report.ts';
export type { HostedClusterOptions } from './scope.ts';
