/** Scales node pools from pending pods, and takes nodes away that nobody needs. */
export { type AutoscalerFlags, defaultFlags, parseAutoscalerFlags } from './flags.ts';
export { type NodeGroup, nodeGroupOf, nodeGroups, type Scalable } from './node-group.ts';
export { type ClusterAutoscalerOptions, runClusterAutoscaler } from './run.ts';
