import { mkdtempSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setImmediate } from 'node:timers/promises';
import { createMemoryStore, openSqliteStore, prefixEnd, type Store } from '@hypershift-ts/kube-store';
import type Libsql from 'libsql';

/** About what a Pod or Deployment weighs. */
const value = JSON.stringify({ filler: 'x'.repeat(3_400) });

const keyOf = (i: number) => `/registry/pods/ns-${i % 100}/pod-${String(i).padStart(6, '0')}`;

/** Prints rates of the stores, the durable ones as a share of what the engine commits in bare transactions. */
export async function benchStore(print: (line: string) => void): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'bench-store-'));
  try {
    await benchDurable(directory, print);
  } finally {
    rmSync(directory, { recursive: true });
  }
  await benchMemory(print);
  await benchFanOut(print);
  benchEmpty(print);
}

async function benchDurable(directory: string, print: (line: string) => void): Promise<void> {
  const store = await openSqliteStore({ file: join(directory, 'store.db') });
  for (const writers of [1, 64, 256]) {
    // Before and after, because the disk's own rate moves by a factor of two on a shared machine.
    const bareBefore = bareCommits(join(directory, `bare-${writers}-a.db`), writers);
    const count = writers === 1 ? 500 : writers * 40;
    let next = 0;
    const rate = await perSecond(count, async () => {
      const write = async () => {
        while (next < count) await store.commit({ op: 'put', key: keyOf(next++), value });
      };
      await Promise.all(Array.from({ length: writers }, write));
    });
    const bare = Math.max(bareBefore, bareCommits(join(directory, `bare-${writers}-b.db`), writers));
    print(
      `sqlite: ${whole(rate)} durable puts/s with ${writers} writers, ${Math.round((100 * rate) / bare)} % of the engine's ${whole(bare)}/s in transactions of ${writers}`,
    );
  }
  await store.close();
}

/** The same rows in transactions of the same size, straight into the engine, with nothing around it. */
function bareCommits(file: string, rows: number): number {
  const Database = createRequire(import.meta.url)('libsql') as new (path: string) => Libsql.Database;
  const db = new Database(file);
  for (const setting of ['locking_mode=EXCLUSIVE', 'journal_mode=WAL', 'synchronous=FULL']) db.pragma(setting);
  db.exec('CREATE TABLE versions (revision INTEGER PRIMARY KEY, key TEXT, value TEXT, created INTEGER, due INTEGER)');
  const insert = db.prepare('INSERT INTO versions VALUES (?, ?, ?, ?, ?)');
  const transactions = rows === 1 ? 500 : 40;
  const started = performance.now();
  for (let t = 0, revision = 0; t < transactions; t++) {
    db.exec('BEGIN IMMEDIATE');
    for (let i = 0; i < rows; i++) insert.run(++revision, keyOf(revision), value, revision, null);
    db.exec('COMMIT');
  }
  const seconds = (performance.now() - started) / 1000;
  db.close();
  return (transactions * rows) / seconds;
}

async function benchMemory(print: (line: string) => void): Promise<void> {
  const store = createMemoryStore();
  const count = 100_000;
  const puts = await perSecond(count, async () => {
    for (let i = 0; i < count; i++) await store.commit({ op: 'put', key: keyOf(i), value });
  });
  const gets = await perSecond(count, async () => {
    for (let i = 0; i < count; i++) await store.get(keyOf((i * 7919) % count));
  });
  const ranges = await perSecond(500, async () => {
    for (let i = 0; i < 500; i++) await namespace(store, i % 100);
  });
  const counts = await perSecond(2_000, async () => {
    for (let i = 0; i < 2_000; i++) await store.range({ start: '/registry/', end: prefixEnd('/registry/'), limit: 1 });
  });
  print(`memory, 100 000 keys: ${whole(puts)} puts/s, ${whole(gets)} gets/s`);
  print(`memory, 100 000 keys: ${whole(ranges)} ranges of 1 000/s, ${whole(counts)} counts of all keys/s`);
  await store.close();
}

function namespace(store: Store, number: number) {
  const prefix = `/registry/pods/ns-${number}/`;
  return store.range({ start: prefix, end: prefixEnd(prefix) });
}

async function benchFanOut(print: (line: string) => void): Promise<void> {
  const commits = 5_000;
  const microsecondsPerCommit = async (watchers: number, prefix: (i: number) => string) => {
    const store = createMemoryStore();
    let seen = 0;
    const revision = await store.currentRevision();
    for (let i = 0; i < watchers; i++) {
      const start = prefix(i);
      const onEvents = () => void seen++;
      store.watch({ start, end: prefixEnd(start), afterRevision: revision, onEvents, onEnd: () => undefined });
    }
    // The watches start in their own time, which is not the commit's.
    await setImmediate();
    const rate = await perSecond(commits, async () => {
      for (let i = 0; i < commits; i++) await store.commit({ op: 'put', key: keyOf(i), value });
    });
    await store.close();
    return { micros: 1e6 / rate, seen };
  };
  await microsecondsPerCommit(1, () => '/registry/');
  const none = await microsecondsPerCommit(0, () => '');
  const elsewhere = await microsecondsPerCommit(5_000, (i) => `/registry/configmaps/ns-${i}/`);
  const all = await microsecondsPerCommit(1_000, () => '/registry/pods/');
  print(
    `watch: a commit takes ${none.micros.toFixed(1)} us alone, ${elsewhere.micros.toFixed(1)} us beside 5 000 watches of other prefixes, ${all.micros.toFixed(0)} us with 1 000 watches that see it (${((all.micros - none.micros) / 1_000).toFixed(3)} us each)`,
  );
}

function benchEmpty(print: (line: string) => void): void {
  const collect = (globalThis as { gc?: () => void }).gc;
  collect?.();
  const before = process.memoryUsage().heapUsed;
  const stores = Array.from({ length: 1_000 }, () => createMemoryStore());
  collect?.();
  const bytes = (process.memoryUsage().heapUsed - before) / stores.length;
  print(`memory: ${Math.round(bytes)} bytes for an empty store${collect ? '' : ' (rough: run node with --expose-gc)'}`);
}

async function perSecond(count: number, work: () => Promise<void>): Promise<number> {
  const started = performance.now();
  await work();
  return (1000 * count) / (performance.now() - started);
}

function whole(rate: number): string {
  return Math.round(rate).toLocaleString('en-US').replaceAll(',', ' ');
}
