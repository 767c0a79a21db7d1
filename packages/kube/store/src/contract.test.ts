import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ManualClock } from '@hypershift-ts/kube-apimachinery';
import { createMemoryStore, restoreMemory } from './memory-store.ts';
import { openSqliteStore, restoreSqlite } from './sqlite/sqlite-store.ts';
import { type StoreHarness, storeContract } from './testing/contract.ts';

storeContract('memory', async (): Promise<StoreHarness> => {
  const clock = new ManualClock();
  return {
    open: async () => createMemoryStore({ clock }),
    restore: async (snapshot) => restoreMemory(snapshot, { clock }),
    elapse: async (seconds) => clock.advance(seconds * 1000),
    dispose: async () => undefined,
  };
});

storeContract('SQLite', async (): Promise<StoreHarness> => {
  const clock = new ManualClock();
  const directory = await mkdtemp(join(tmpdir(), 'store-contract-'));
  let files = 0;
  const nextFile = () => join(directory, `${++files}`, 'store.db');
  return {
    open: () => openSqliteStore({ file: nextFile(), clock }),
    restore: (snapshot) => restoreSqlite(snapshot, { file: nextFile(), clock }),
    elapse: async (seconds) => clock.advance(seconds * 1000),
    dispose: () => rm(directory, { recursive: true }),
  };
});
