/** One Client for every cluster: HTTPS to a real one, in process to an embedded one. */
export * from './client.ts';
