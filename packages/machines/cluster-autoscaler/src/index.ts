/** Scales node pools from pending pods, and takes nodes away that nobody needs. */
export { type NodeGroup, nodeGroupOf, nodeGroups, type Scalable } from './node-group.ts';
