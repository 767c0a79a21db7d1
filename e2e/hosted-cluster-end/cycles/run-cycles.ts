import { execFile } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import type { ClusterShape } from '../product.ts';
import type { Measurement } from './measurement.ts';

const run = promisify(execFile);
const root = join(import.meta.dirname, '../../..');

/**
 * What the compilers of the engine learn about hot functions takes memory for a long time, and is not what is looked for.
 * Without them everything is slow, so only runs that look for little use this.
 */
const steady = ['--no-opt', '--no-sparkplug', '--no-lazy-feedback-allocation'];

/** A cycle takes seconds, but the machine may be busy with other things. */
export const longestMs = (cycles: number): number => Math.max(600_000, cycles * 60_000);

/** Creates and deletes clusters one after the other in a process of its own, and answers what was left after each. */
export async function runCycles(
  shape: ClusterShape,
  cycles: number,
  isExact: boolean,
): Promise<readonly Measurement[]> {
  const outdir = join(root, `.cache/cycles.${process.pid}`);
  const { bundleOptions } = (await import(join(root, 'scripts/bundle-options.mjs'))) as {
    readonly bundleOptions: () => Parameters<typeof build>[0];
  };
  try {
    await build({
      ...bundleOptions(),
      absWorkingDir: root,
      entryPoints: { main: join(import.meta.dirname, 'main.ts') },
      splitting: false,
      outdir,
    });
    const args = [join(outdir, 'main.js'), shape.platform, String(shape.nodes), String(cycles)];
    const limits = { timeout: longestMs(cycles), maxBuffer: 2 ** 26 };
    const { stdout } = await run(process.execPath, ['--expose-gc', ...(isExact ? steady : []), ...args], limits);
    return stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Measurement);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
