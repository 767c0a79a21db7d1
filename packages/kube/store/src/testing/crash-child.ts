import { openSqliteStore } from '../sqlite/sqlite-store.ts';

/**
 * Writes to a store as fast as it can and prints a line for every acknowledged write, until it is killed:
 * node crash-child.mjs FILE RUN
 */
const [file = '', run = ''] = process.argv.slice(2);
const store = await openSqliteStore({ file });
const opened = await store.currentRevision();

async function writer(name: number): Promise<never> {
  for (let i = 0; ; i++) {
    const key = `/crash/${name}/${i % 7}`;
    const { entry } = await store.get(key);
    const value = `run ${run} write ${i} ${'x'.repeat((i * 97) % 3000)}`;
    const result =
      i % 5 === 4 && entry
        ? await store.commit({ op: 'delete', key, expect: entry.modRevision })
        : await store.commit({ op: 'put', key, value, expect: entry?.modRevision ?? 0 });
    if (!result.ok) throw new Error(`writer ${name} was refused on its own key ${key}`);
    process.stdout.write(`${JSON.stringify([result.revision, key, result.entry?.value ?? null])}\n`);
  }
}

async function compactor(): Promise<void> {
  // Up to where the reader is known to be, in steps, so that some kill hits a compaction.
  for (let revision = await store.compactedRevision(); revision < opened; revision += 50) {
    await store.compact(Math.min(opened, revision + 50));
  }
}

await Promise.all([compactor(), ...Array.from({ length: 8 }, (_, name) => writer(name))]);
