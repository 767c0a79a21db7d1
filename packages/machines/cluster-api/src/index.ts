/** Cluster API: types, resources and CRDs of its core kinds, and the controllers that work on them. */
export { type ClusterApiCrdOptions, type ClusterApiVersion, clusterApiCrds } from './crds.ts';
export * from './generated/index.ts';
export { clusterController } from './cluster/controller.ts';
export type { Environment } from './environment.ts';
export { fnv1a32 } from './fnv.ts';
export { labelValueOf } from './label-value.ts';
export { ExternalObjects } from './external/external-objects.ts';
export { ResourceTypes } from './external/resource-types.ts';
export { type HostedClient, HostedClusters } from './hosted/hosted-clusters.ts';
export { machineController } from './machine/controller.ts';
export { machineDeploymentController } from './machine-deployment/controller.ts';
export { machineHealthCheckController } from './machine-health-check/controller.ts';
export { machineSetController } from './machine-set/controller.ts';
export { type ClusterApiOptions, clusterApiControllers, runClusterApi } from './run.ts';
