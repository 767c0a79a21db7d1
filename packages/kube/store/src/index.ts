/** Versioned key-value stores behind the API server. */
export * from './store.ts';
