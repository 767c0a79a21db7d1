/** Versioned key-value stores behind the API server. */
export { createMemoryStore, type MemoryStoreOptions, restoreMemory } from './memory-store.ts';
export * from './store.ts';
