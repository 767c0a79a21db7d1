/** Cluster API of a hosted cluster: the Cluster, its controllers and what they may do. */
export * from './access.ts';
export * from './cluster.ts';
export * from './deployments.ts';
