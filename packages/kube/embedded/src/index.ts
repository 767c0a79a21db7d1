/** A whole Kubernetes cluster in one process: API server, controllers, scheduler, kubelet. */
export { EmbeddedCluster, type EmbeddedClusterOptions } from './cluster.ts';
export { type ClusterIdentity, ensureIdentity, writeSecret } from './identity.ts';
export type { EmbeddedNode } from './nodes.ts';
