export * from './publishing.ts';
