export * from './publishing.ts';
export * from './reconcile.ts';
export * from './status.ts';
