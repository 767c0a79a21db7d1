export * from './kind.ts';
export * from './management.ts';
export * from './spec.ts';
export * from './status.ts';
