/** Conditions of a HostedCluster: each from its sources, as a pure function. */
export * from './auto-node.ts';
export * from './availability.ts';
export * from './bubbled.ts';
export * from './healthy.ts';
export * from './node-drain.ts';
export * from './operator.ts';
export * from './private-connectivity.ts';
export type { Verdict } from './verdict.ts';
