export * from './kind.ts';
export * from './spec.ts';
export * from './status.ts';
