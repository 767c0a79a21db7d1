/** What is awaited, and why: conditions as one line for people. */
export * from './awaited.ts';
export * from './cause.ts';
export * from './wait-for-cluster.ts';
export * from './wait-for-object.ts';
