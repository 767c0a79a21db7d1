/** Versioned key-value stores behind the API server. */
export { type CompactionOptions, startCompaction } from './compaction.ts';
export type { EtcdTls } from './etcd/connection.ts';
export { createEtcdStore, type EtcdEndpointStatus, type EtcdStore, type EtcdStoreOptions } from './etcd/etcd-store.ts';
export { createMemoryStore, type MemoryStoreOptions, restoreMemory } from './memory-store.ts';
export { StoreOpenError, type StoreOpenReason } from './sqlite/open-error.ts';
export { openSqliteStore, restoreSqlite, type SqliteStoreOptions } from './sqlite/sqlite-store.ts';
export * from './store.ts';
