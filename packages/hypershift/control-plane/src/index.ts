/** Control planes as workloads: components, how they are published, and what is reported about them. */
export * from './components/index.ts';
export * from './framework/index.ts';
export * from './infrastructure/index.ts';
export * from './hosted-control-plane/index.ts';
export * from './operator/index.ts';
export * from './private-links/index.ts';
