/** Every kind of HyperShift: schemas, types, CRDs, conditions, annotations, defaults and validation. */
export * from './audit-log-persistence/index.ts';
export * from './certificates/index.ts';
export * from './cluster-sizing/index.ts';
export * from './common/index.ts';
export * from './configuration/index.ts';
export * from './control-plane-component/index.ts';
export * from './etcd-backup/index.ts';
export * from './feature-gates.ts';
export * from './hosted-cluster/index.ts';
export * from './hosted-control-plane/index.ts';
export * from './karpenter/index.ts';
export * from './kinds.ts';
export * from './node-pool/index.ts';
export * from './platforms/index.ts';
export * from './private-connectivity/index.ts';
export * from './reference/index.ts';
export * from './schema/index.ts';
