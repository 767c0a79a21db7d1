/** The HostedCluster controller: small named steps around the pure functions of the other folders. */
export { hostedClusterController } from './controller.ts';
export type { HostedClusterOptions } from './scope.ts';
