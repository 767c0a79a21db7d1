export * from './ec2-node-class-status.ts';
export * from './ec2-node-class.ts';
export * from './node-claim.ts';
export * from './node-overlay.ts';
export * from './node-pool.ts';
export * from './openshift-ec2-node-class.ts';
export * from './openshift-kubelet.ts';
export * from './selectors.ts';
