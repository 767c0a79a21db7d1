export * from './conditions.ts';
export * from './references.ts';
export * from './scheduling.ts';
