/** Node pools: from a NodePool to the Cluster API objects that make its machines. */
export { type BlockedDrain, blockedDrains, blockedDrainText } from './blocked-drains.ts';
export { nodePoolController, nodePoolReconcile } from './controller.ts';
export type { NodePoolOptions } from './scope.ts';
