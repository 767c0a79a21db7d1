import { spawn } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { StoreEvent } from '../store.ts';
import { WatchRecorder } from '../testing/watch-recorder.ts';
import { openSqliteStore } from './sqlite-store.ts';

type Acknowledged = readonly [revision: number, key: string, value: string | null];

const kills = 25;

describe('SQLite store under kill -9', () => {
  let directory: string;
  let program: string;

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'store-crash-'));
    program = join(directory, 'crash-child.mjs');
    await build({
      entryPoints: [fileURLToPath(new URL('../testing/crash-child.ts', import.meta.url))],
      outfile: program,
      bundle: true,
      platform: 'node',
      format: 'esm',
      external: ['libsql'],
      // Packages in the older module format call require().
      banner: {
        js: `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`,
      },
      logLevel: 'error',
    });
    await symlink(
      fileURLToPath(new URL('../../../../../node_modules', import.meta.url)),
      join(directory, 'node_modules'),
    );
  });
  afterAll(() => rm(directory, { recursive: true }));

  /** Runs the writers, kills them some time after the first acknowledgement, and returns all that were heard. */
  async function runAndKill(file: string, run: number, afterMs: number): Promise<Acknowledged[]> {
    const child = spawn(process.execPath, [program, file, String(run)], { stdio: ['ignore', 'pipe', 'pipe'] });
    let output = '';
    let errors = '';
    child.stdout.once('data', () => setTimeout(() => child.kill('SIGKILL'), afterMs));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString('latin1');
    });
    child.stderr.on('data', (chunk: Buffer) => {
      errors += chunk.toString();
    });
    const signal = await new Promise<string | null>((resolve) =>
      child.on('close', (_code, killedBy) => resolve(killedBy)),
    );
    expect(`${signal} ${errors}`).toBe('SIGKILL ');
    const lines = output.split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line) as Acknowledged);
  }

  it('When killed at many moments, it should keep every acknowledged write, never go back and leave no gap', async () => {
    const file = join(directory, 'data', 'store.db');
    let lastSeen = 1;
    let total = 0;
    for (let run = 0; run < kills; run++) {
      const acknowledged = await runAndKill(file, run, (run * 37) % 101);
      total += acknowledged.length;

      const store = await openSqliteStore({ file });
      const revision = await store.currentRevision();
      expect(revision).toBeGreaterThanOrEqual(Math.max(...acknowledged.map(([acked]) => acked)));
      const watch = new WatchRecorder(store, '/crash/', lastSeen);
      const events = await watch.seen(revision - lastSeen);
      const expected = Array.from({ length: revision - lastSeen }, (_, i) => lastSeen + 1 + i);
      expect(events.map((event) => event.revision)).toEqual(expected);
      for (const [acked, key, value] of acknowledged) {
        expect(told(events[acked - lastSeen - 1])).toEqual([key, value]);
      }
      const latest = new Map(events.map(told));
      for (const [key, value] of latest) expect((await store.get(key)).entry?.value ?? null).toBe(value);
      await store.close();
      lastSeen = revision;
    }
    expect(total).toBeGreaterThan(kills);
  }, 60_000);
});

function told(event: StoreEvent | undefined): [string, string | null] {
  if (!event) return ['nothing', null];
  return event.type === 'put' ? [event.entry.key, event.entry.value] : [event.key, null];
}
