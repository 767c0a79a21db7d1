// Bundles bench/main.ts and runs it. Figures are ratios to limits measured in the same run; they are never tests.
import { spawnSync } from 'node:child_process';
import { build } from 'esbuild';
import { bundleOptions } from './bundle-options.mjs';

await build({
  ...bundleOptions(),
  entryPoints: { bench: 'bench/main.ts', client: 'bench/client.ts' },
  outdir: '.cache/bench',
  splitting: false,
});
const { status } = spawnSync(process.execPath, ['--expose-gc', '.cache/bench/bench.js', ...process.argv.slice(2)], {
  stdio: 'inherit',
});
process.exit(status ?? 1);
