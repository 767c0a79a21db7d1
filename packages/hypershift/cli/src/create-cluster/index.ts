/** Flags to the objects of a new cluster, rendered or created. */
export { type CoreFlags, coreDefaults } from './core-flags.ts';
export { type ClusterPlanOptions, createCluster, planCluster } from './create.ts';
export { type ClusterObjects, inOrder } from './objects.ts';
export { platformBuilders } from './platforms/index.ts';
