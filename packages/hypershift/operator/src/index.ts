export * from './hosted-control-plane/index.ts';
export * from './names/index.ts';
export * from './namespace/index.ts';
export * from './conditions/index.ts';
export * from './version/index.ts';
export * from './deletion/index.ts';
export * from './cluster-api/index.ts';
export * from './network-policies/index.ts';
