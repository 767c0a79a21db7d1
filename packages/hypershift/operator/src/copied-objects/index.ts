/** Objects copied from beside a HostedCluster to its control plane, and back. */
export * from './back.ts';
export * from './into-control-plane.ts';
export * from './references.ts';
